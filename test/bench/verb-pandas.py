"""pandas' side of verb-speed.mjs."""

import pandas as pd
from pandas_peer import about, answer, folder, frame


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
answer(operations)
