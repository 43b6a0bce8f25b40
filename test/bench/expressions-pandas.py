"""pandas' side of expressions.mjs."""

import numpy as np
import pandas as pd
from pandas_peer import answer, frame


def categories(codes, words):
    order = sorted(range(len(words)), key=words.__getitem__)
    place = np.empty(len(words), dtype=np.int32)
    place[order] = np.arange(len(words))
    return pd.Categorical.from_codes(place[codes], sorted(words), ordered=True)


def operations(bars):
    return {
        "filter: text and number": lambda: bars[(bars["symbol"] == "000017.SZ") & (bars["close"] > 5.5)],
        "filter: day and number": lambda: bars[(bars["tradedate"] >= "20260715") & (bars["close"] > 5.5)],
        "filter: mask": lambda: bars[bars["close"] > 5.5],
        "filter: condition": lambda: bars[bars["close"] > 5.5],
        "derive: when to text": lambda: bars.assign(side=np.where(bars["close"] > bars["open"], "up", "down").astype(object)),
        "derive: when of text": lambda: bars.assign(code=bars["symbol"].where(bars["close"] > 5.5, bars["period"])),
        "derive: when to number": lambda: bars.assign(best=np.where(bars["close"] > bars["open"], bars["high"], bars["low"])),
        "derive: arithmetic": lambda: bars.assign(spread=(bars["high"] - bars["low"]) / bars["close"]),
        "pivot to 4,000 columns": lambda: bars.pivot(index=["tradedate", "trademin"], columns="symbol", values="close"),
        "group: median and std": lambda: bars.groupby("symbol", sort=False, observed=True).agg(m=("close", "median"), s=("close", "std")),
        "group: mean and sum": lambda: bars.groupby("symbol", sort=False, observed=True).agg(m=("close", "mean"), s=("amount", "sum")),
        "concat": lambda: pd.concat([bars, bars]),
        "ewm": lambda: bars["close"].ewm(span=20).mean(),
        "rolling median": lambda: bars["close"].rolling(20).median(),
        "rolling std": lambda: bars["close"].rolling(20).std(),
    }


known = operations(frame("bars"))
ofText = [name for name in known if name not in ("ewm", "rolling median", "rolling std", "derive: when of text")]
coded = operations(frame("bars", categories))
known |= {f"category {name}": coded[name] for name in ofText}
answer(known)
