"""pandas' side of checks.mjs: what a check of bars looks at, as masks."""

from pandas_peer import answer, frame

bars = frame("bars")


def check():
    low, high, vol, amount = bars["low"], bars["high"], bars["vol"], bars["amount"]
    average = amount / (vol * 100)
    wrong = (low > high) | (vol < 0) | (amount < 0)
    for name in ("open", "close"):
        wrong |= (bars[name] < low) | (bars[name] > high)
    wrong |= (vol > 1) & ((average < low * 0.999) | (average > high * 1.001))
    return bars[wrong]


answer({"check": check})
