"""pandas' side of verb-speed.mjs: reads columns from a folder, then does on each line of stdin what it says and prints milliseconds."""

import json
import sys
import time

import numpy as np
import pandas as pd

folder = sys.argv[1]
about = json.load(open(f"{folder}/about.json"))


def frame(name):
    columns = {}
    for column in about[name]:
        path = f"{folder}/{name}.{column['name']}"
        if column["words"] is None:
            columns[column["name"]] = np.fromfile(path, dtype=np.float64)
        else:
            words = np.array([*column["words"], None], dtype=object)
            columns[column["name"]] = words[np.fromfile(path, dtype=np.int32)]
    return pd.DataFrame(columns)


def write_csv():
    bars.to_csv(f"{folder}/theirs.csv", index=False)
    return bars


text = {column["name"]: str for column in about["bars"] if column["words"] is not None}
bars, stocks, days = frame("bars"), frame("stocks"), frame("days")
operations = {
    "sort by two keys": lambda: bars.sort_values(["symbol", "tradedate"], kind="stable"),
    "sort by three keys": lambda: bars.sort_values(["symbol", "tradedate", "trademin"], kind="stable"),
    "sort by a number": lambda: bars.sort_values("close", ascending=False, kind="stable"),
    "group by symbol": lambda: bars.groupby("symbol", sort=False, dropna=False).agg(
        amount=("amount", "sum"), close=("close", "mean"), high=("high", "max"), bars=("vol", "count")
    ),
    "left join by symbol": lambda: bars.merge(stocks, on="symbol", how="left"),
    "left join by two keys": lambda: bars.merge(days, on=["tradedate", "symbol"], how="left"),
    "filter by a mask": lambda: bars[bars["close"] > 5.5],
    "filter by a function": lambda: bars[bars["close"] > 5.5],
    "rolling mean": lambda: bars["close"].rolling(20).mean(),
    "rolling mean by symbol": lambda: bars.assign(
        mean=bars.groupby("symbol", sort=False)["close"].rolling(20).mean().droplevel(0)
    ),
    "rank of a column": lambda: bars.assign(rank=bars["close"].rank()),
    "read CSV": lambda: pd.read_csv(f"{folder}/bars.csv", dtype=text),
    "write CSV": write_csv,
}
print(json.dumps({"pandas": pd.__version__}), flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    kept = operations[line.strip()]()
    spent = {"time": (time.perf_counter() - start) * 1000}
    print(json.dumps({**spent, "rows": len(kept)}), flush=True)
