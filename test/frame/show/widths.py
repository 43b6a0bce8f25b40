"""Widths of characters by Unicode's own table (East Asian Width), as Python carries it: writes widths.json.

Wide and full-width characters take two cells, marks none, all others one; ambiguous ones are left out."""
import json
import unicodedata

BLOCKS = [(0x20, 0x7F), (0xA1, 0x300), (0x300, 0x370), (0x370, 0x530), (0x2000, 0x2070), (0x20A0, 0x20C0), (0x2460, 0x2500),
          (0x3000, 0x3040), (0x3041, 0x3100), (0x3105, 0x3130), (0x4E00, 0xA000), (0xAC00, 0xD7A4), (0xF900, 0xFAD9),
          (0xFE30, 0xFE50), (0xFF01, 0xFFE7), (0x1F300, 0x1F650), (0x20000, 0x20100), (0x2F800, 0x2F900)]

runs = []
for start, end in BLOCKS:
    for code in range(start, end):
        sign = chr(code)
        category, wide = unicodedata.category(sign), unicodedata.east_asian_width(sign)
        if category[0] == 'C' or category in ('Zl', 'Zp', 'Mc') or wide == 'A' and category[0] != 'M':
            continue
        width = 0 if category in ('Mn', 'Me') else 2 if wide in 'WF' else 1
        if runs and runs[-1][1] == code - 1 and runs[-1][2] == width:
            runs[-1][1] = code
        else:
            runs.append([code, code, width])
json.dump({'unicode': unicodedata.unidata_version, 'runs': runs}, open('widths.json', 'w'), separators=(',', ':'))
print(len(runs))
