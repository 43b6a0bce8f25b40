"""Writes python-text.json: texts that Python's csv and json and pandas wrote or read, for reading.test.ts."""
import csv, io, json, pathlib
import pandas as pd

head = ["c0", "c1", "c2"]
body = [
    ["000001", "贵州茅台", "a,b"],
    ['say "hi"', "two\nlines", "tab\there"],
    ["", " blank ", "😀"],
    ["null", "NaN", "12345678901.23"],
    ['"', '""', ',"\n'],
]
out = {"csv": [], "read": [], "json": []}
for options in ({}, {"quoting": csv.QUOTE_ALL}, {"lineterminator": "\n"}, {"lineterminator": "\n", "quoting": csv.QUOTE_NONNUMERIC}):
    file = io.StringIO(newline="")
    csv.writer(file, **options).writerows([head] + body)
    out["csv"].append({"text": file.getvalue(), "rows": [head] + body})

# What toCsv must write: Python and pandas read it back cell by cell.
text = 'c0,c1,c2\n000001,贵州茅台,"a,b"\n"say ""hi""","two\nlines",tab\there\n"", blank ,😀\nnull,NaN,12345678901.23\n"""","""""",",""\n"\n'
assert list(csv.reader(io.StringIO(text, newline=""))) == [head] + body
frame = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
assert [list(frame.columns)] + frame.values.tolist() == [head] + body
out["read"].append({"text": text, "rows": [head] + body})

numbers = [0.1 + 0.2, -0.0, 5e-324, 1.7976931348623157e308, 12345678901.23, 1e21, 123456789012345, 1e-7]
rows = [[number, "贵\n\"", None, True, ["a", ""], {"k": [1, None]}] for number in numbers]
records = [dict(zip(["zz", "zy", "zx", "zw", "zv", "zu"], row)) for row in rows]
for ascii in (True, False):
    out["json"].append({"text": json.dumps(records, ensure_ascii=ascii, indent=1), "rows": rows})
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, ensure_ascii=False, separators=(",", ":")) + "\n")
