"""pandas' side of a bench: reads columns from a folder, then does on each line of stdin what it says and prints milliseconds."""

import json
import sys
import time

import numpy as np
import pandas as pd

folder = sys.argv[1]
about = json.load(open(f"{folder}/about.json"))


def objects(codes, words):
    """Text as objects, which share memory where they are equal."""
    return np.array([*words, None], dtype=object)[codes]


def frame(name, text=objects):
    columns = {}
    for column in about[name]:
        path = f"{folder}/{name}.{column['name']}"
        if column["words"] is None:
            columns[column["name"]] = np.fromfile(path, dtype=np.float64)
        else:
            columns[column["name"]] = text(np.fromfile(path, dtype=np.int32), column["words"])
    return pd.DataFrame(columns)


def answer(operations):
    print(json.dumps({"pandas": pd.__version__, "names": list(operations)}), flush=True)
    for line in sys.stdin:
        start, busy = time.perf_counter(), time.process_time()
        kept = operations[line.strip()]()
        spent = (time.perf_counter() - start) * 1000
        worked = (time.process_time() - busy) * 1000
        print(json.dumps({"time": spent, "cpu": worked, "rows": len(kept)}), flush=True)
