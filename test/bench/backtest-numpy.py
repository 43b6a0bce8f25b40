"""The account of backtest.mjs as a numpy loop: each day the 20 lowest scores, bought at the next open in tens of bonds.

Called with a folder of float64 columns, days and bonds; a line on stdin makes it run, the equity comes as a line of JSON.
"""
import json
import sys

import numpy as np

folder, days, width = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def column(name):
    return np.fromfile(f"{folder}/{name}", dtype="<f8").reshape(days, width)


opens, closes, pre_closes, vols, premiums = (column(n) for n in ("open", "close", "pre_close", "vol", "premium"))
opens_mills, closes_mills, pre_mills = (np.rint(np.nan_to_num(c, nan=-1) * 1000).astype(np.int64) for c in (opens, closes, pre_closes))
rate, least, step = 20, 100, 10  # commission: 20 per 100,000, at least 1 yuan; ten bonds


def fee(amount):
    return max(least, (2 * amount * rate + 100000) // 200000)


def amount_of(shares, price):
    return (2 * shares * price + 10) // 20


def limited(price, pre, percent):
    return (2 * pre * (100 + percent) + 100) // 200


def run():
    cash, shares, marks, targets = 10**10, {}, {}, None
    for day in range(days):
        for bond in sorted(shares):
            pre, last = int(pre_mills[day, bond]), marks[bond]
            if pre < 0 or pre == last:
                continue
            before = shares[bond]
            shares[bond] = before * last // pre
            cash += (before * last - shares[bond] * pre + 5) // 10
        if targets is not None:
            cash = rebalance(day, cash, shares, marks, targets)
        score = closes[day] + premiums[day]
        best = np.argpartition(np.where(np.isnan(score), np.inf, score), 20)[:20]
        targets = sorted(best.tolist(), key=lambda bond: (score[bond], bond))
        for bond in shares:
            if closes_mills[day, bond] > 0:
                marks[bond] = int(closes_mills[day, bond])
    return (cash + sum(amount_of(shares[bond], marks[bond]) for bond in shares)) / 100


def allowed(day, bond, side):
    price = int(opens_mills[day, bond])
    if price < 0 or vols[day, bond] == 0:
        return False
    pre = int(pre_mills[day, bond])
    if side == "buy":
        return price < max(limited(price, pre, 20), pre + 1)
    return price > max(1, min(limited(price, pre, -20), pre - 1))


def last_close(day, bond):
    for at in range(day - 1, -1, -1):
        if closes_mills[at, bond] > 0:
            return int(closes_mills[at, bond])
    return -1


def price_for_size(day, bond, marks, shares):
    price = int(opens_mills[day, bond])
    if price > 0:
        return price
    return marks[bond] if bond in shares else last_close(day, bond)


def rebalance(day, cash, shares, marks, targets):
    value = 10 * (cash + sum(amount_of(shares[bond], price_for_size(day, bond, marks, shares)) for bond in shares))
    wanted = {}
    for bond in targets:
        price = price_for_size(day, bond, marks, shares)
        wanted[bond] = value // (20 * price * step) * step if price > 0 else 0
    for bond in sorted(shares):
        target = wanted.get(bond, 0)
        change = shares[bond] - target
        if change > 0 and target > 0:
            change -= change % step
        if change <= 0 or not allowed(day, bond, "sell"):
            continue
        amount = amount_of(change, int(opens_mills[day, bond]))
        cash += amount - fee(amount)
        shares[bond] -= change
        if shares[bond] == 0:
            del shares[bond]
    for bond in targets:
        change = wanted[bond] - shares.get(bond, 0)
        change -= change % step
        if change <= 0 or not allowed(day, bond, "buy"):
            continue
        price = int(opens_mills[day, bond])
        while change > 0 and amount_of(change, price) + fee(amount_of(change, price)) > cash:
            change -= step
        if change <= 0:
            continue
        amount = amount_of(change, price)
        cash -= amount + fee(amount)
        if bond not in shares:
            marks[bond] = price
        shares[bond] = shares.get(bond, 0) + change
    return cash


def vectorised():
    """What is quickly written: no lots, limits, costs or ex-rights; all days at once."""
    score = closes + premiums
    best = np.argpartition(np.where(np.isnan(score), np.inf, score), 20, axis=1)[:, :20]
    returns = np.nan_to_num(opens[1:] / opens[:-1] - 1)
    return float(np.cumprod(1 + np.take_along_axis(returns[1:], best[:-2], axis=1).mean(axis=1))[-1])


for line in sys.stdin:
    print(json.dumps({"equity": vectorised() if line.strip() == "vectorised" else run()}), flush=True)
