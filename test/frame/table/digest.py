"""The digest of a table, as src/frame/table/digest.ts describes it: columns as JSON on stdin, a line each; sha256 on stdout."""
import hashlib
import json
import math
import struct
import sys


def texts(cells):
    order = list(dict.fromkeys(cell for cell in cells if cell is not None))
    number = {text: i for i, text in enumerate(order)}
    encoded = [text.encode() for text in order]
    out = struct.pack("<I", len(order)) + b"".join(struct.pack("<I", len(text)) for text in encoded) + b"".join(encoded)
    return out + b"".join(struct.pack("<I", 0xFFFFFFFF if cell is None else number[cell]) for cell in cells)


def number(cell):
    if cell is None:
        return bytes.fromhex("7ff8000000000000")[::-1]
    value = {"Infinity": math.inf, "-Infinity": -math.inf}.get(cell, cell)
    return struct.pack("<d", abs(value) if value == 0 else value)


def body(kind, cells):
    if kind == "number":
        return b"".join(number(cell) for cell in cells)
    if kind == "boolean":
        return bytes(2 if cell is None else int(cell) for cell in cells)
    if kind == "text":
        return texts(cells)
    lengths = b"".join(struct.pack("<I", 0xFFFFFFFF if cell is None else len(cell)) for cell in cells)
    return lengths + texts([text for cell in cells if cell is not None for text in cell])


for line in sys.stdin:
    table = json.loads(line)
    parts = struct.pack("<II", table["rows"], len(table["columns"]))
    for name, kind, cells in table["columns"]:
        parts += texts([name, kind]) + body(kind, cells)
    print(hashlib.sha256(parts).hexdigest())
