"""The study of a factor in numpy, as factor.mjs asks it: coefficients with Newey and West's error and their decay, returns of quantiles,
turnover, autocorrelation of ranks, and the factor's own returns with alpha and beta.

Called with a folder of float64 columns, times, names and horizons; a line on stdin makes it run, the figures come as a line of JSON.
"""
import json
import sys
import time

import numpy as np

folder, times, names = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
horizons = [int(word) for word in sys.argv[4].split(",")]
count = 5


def column(name):
    return np.fromfile(f"{folder}/{name}", dtype="<f8").reshape(times, names)


score = column("score")
forward = {h: column(f"forward{h}") for h in horizons}


def rank(x):
    order = np.argsort(x, kind="stable")
    ordered = x[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    sizes = np.diff(np.r_[starts, len(x)])
    out = np.empty(len(x))
    out[order] = np.repeat(starts + (sizes + 1) / 2, sizes)
    return out


def correlation(a, b):
    a, b = a - a.mean(), b - b.mean()
    return (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum())


def error(x, overlap):
    n = len(x)
    lag = max(overlap - 1, int(np.floor(4 * (n / 100) ** (2 / 9))))
    left = x - x.mean()
    total = (left * left).sum()
    for k in range(1, lag + 1):
        total += 2 * (1 - k / (lag + 1)) * (left[k:] * left[:-k]).sum()
    return np.sqrt(total / n / n)


def study():
    there = ~np.isnan(score)
    quantiles = np.zeros(score.shape, dtype=np.int64)
    ranks = np.full(score.shape, np.nan)
    for t in range(times):
        own = score[t, there[t]]
        ranks[t, there[t]] = rank(own)
        if len(own) < 2 * count:
            continue
        edges = np.quantile(own, np.arange(1, count) / count)
        quantiles[t, there[t]] = 1 + np.searchsorted(edges, own, side="left")
    turnover = np.full((count, times), np.nan)
    for t in range(1, times):
        for q in range(1, count + 1):
            now, before = quantiles[t] == q, quantiles[t - 1] == q
            if now.any() and before.any():
                turnover[q - 1, t] = (now & ~before).sum() / now.sum()
    auto = np.full(times, np.nan)
    for t in range(1, times):
        both = there[t] & there[t - 1]
        auto[t] = correlation(ranks[t, both], ranks[t - 1, both])
    result = {"turnover": float(np.nanmean(turnover[-1])), "auto": float(np.nanmean(auto)), "horizons": []}
    coefficients = {}
    for h in horizons:
        ic, own, market = np.full(times, np.nan), np.full(times, np.nan), np.full(times, np.nan)
        means = np.full((count, times), np.nan)
        for t in range(times):
            both = there[t] & ~np.isnan(forward[h][t])
            if both.sum() < 5:
                continue
            x, y, q = score[t, both], forward[h][t, both], quantiles[t, both]
            ic[t] = correlation(rank(x), rank(y))
            sums, sizes = np.bincount(q, y, count + 1)[1:], np.bincount(q, minlength=count + 1)[1:]
            means[:, t] = sums / sizes
            weights = x - x.mean()
            own[t], market[t] = (weights * y).sum() / np.abs(weights).sum(), y.mean()
        known = coefficients[h] = ic[~np.isnan(ic)]
        known_own = ~np.isnan(own)
        beta, alpha = np.polyfit(market[known_own], own[known_own], 1)
        result["horizons"].append({
            "meanIc": known.mean(),
            "stdIc": known.std(ddof=1),
            "error": error(known, h),
            "positive": float((known > 0).mean()),
            "quantileReturns": [float(np.nanmean(row)) for row in means],
            "spread": float(np.nanmean(means[-1] - means[0])),
            "meanFactorReturn": float(np.nanmean(own)),
            "alpha": float((1 + alpha) ** (252 / h) - 1),
            "beta": float(beta),
        })
    last = len(coefficients[max(horizons)])
    result["decay"] = [float(coefficients[h][:last].mean()) for h in horizons]
    return result


for _ in sys.stdin:
    start = time.process_time()
    found = study()
    print(json.dumps({"cpu": (time.process_time() - start) * 1000, **found}), flush=True)
