"""The figures of a tear sheet, computed by pandas from what a run recorded. Reads JSON from stdin, writes JSON."""
import json
import math
import statistics
import sys

import numpy as np
import pandas as pd

given = json.load(sys.stdin)
days = pd.to_datetime(given["days"], format="%Y%m%d")
equity = pd.Series(given["equity"], index=days)
start, per_year = given["start"], 252
curve = pd.concat([pd.Series([start]), equity.reset_index(drop=True)], ignore_index=True)
r = pd.Series(curve.pct_change().dropna().to_numpy(), index=days)
levels = pd.Series(given["benchmark"], index=days)
b = levels.pct_change()
n = len(r)
free = (1 + given["riskFree"]) ** (1 / per_year) - 1
under = curve / curve.cummax() - 1
growth = curve.iloc[-1] / start
cagr = growth ** (365.25 / (days[-1] - days[0]).days) - 1
sharpe = (r - free).mean() / r.std()
monthly = (1 + r).groupby(r.index.to_period("M")).prod() - 1
tail = r.quantile(0.05)
psr_root = math.sqrt(1 - r.skew() * sharpe + (r.kurt() + 2) / 4 * sharpe**2)

# Drawdowns: from each high to the day that reaches it again.
spells, high, begun = [], 0, None
for row in range(1, len(curve)):
    if curve[row] >= curve[high] * (1 - 1e-12):
        if begun is not None:
            spells.append((high, row))
        high, begun = row, None
    else:
        begun = row
if begun is not None:
    spells.append((high, len(curve) - 1))
day_of = lambda row: days[max(row, 1) - 1]

losing = run = 0
for value in r:
    run = run + 1 if value < 0 else 0
    losing = max(losing, run)

beta = r[1:].cov(b[1:]) / b[1:].var()
apart = (r - b)[1:]
account, trips = pd.DataFrame(given["account"]), pd.DataFrame(given["trips"], columns=["opened", "closed", "pnl"])
costs = account[["commission", "stamp", "transfer"]].to_numpy().sum()
place = {day: at for at, day in enumerate(given["days"])}
gains, losses = trips.pnl[trips.pnl > 0], trips.pnl[trips.pnl < 0]
held = [place[closed] - place[opened] for opened, closed in zip(trips.opened, trips.closed)]

figures = {
    "total": growth - 1,
    "cagr": cagr,
    "annualReturn": growth ** (per_year / n) - 1,
    "bestDay": r.max(),
    "worstDay": r.min(),
    "bestMonth": monthly.max(),
    "worstMonth": monthly.min(),
    "dayWinRate": (r > 0).mean(),
    "monthWinRate": (monthly > 0).mean(),
    "volatility": r.std() * math.sqrt(per_year),
    "downside": math.sqrt((r.clip(upper=0) ** 2).mean() * per_year),
    "maxDrawdown": under.min(),
    "averageDrawdown": np.mean([under[a : z + 1].min() for a, z in spells]),
    "longestDrawdown": max((day_of(z) - day_of(a)).days for a, z in spells),
    "underShare": (under[1:] < -1e-12).mean(),
    "ulcer": math.sqrt((under[1:] ** 2).mean()),
    "longestLosingRun": losing,
    "sharpe": sharpe * math.sqrt(per_year),
    "psr": statistics.NormalDist().cdf(sharpe * math.sqrt(n - 1) / psr_root),
    "sortino": r.mean() * math.sqrt(per_year) / math.sqrt((r.clip(upper=0) ** 2).mean()),
    "calmar": cagr / -under.min(),
    "omega": r[r > 0].sum() / -r[r < 0].sum(),
    "valueAtRisk": tail,
    "conditionalValueAtRisk": r[r <= tail].mean(),
    "skew": r.skew(),
    "kurtosis": r.kurt(),
    "tailRatio": abs(r.quantile(0.95)) / abs(tail),
    "excess": equity.iloc[-1] / equity.iloc[0] - levels.iloc[-1] / levels.iloc[0],
    "beta": beta,
    "alpha": ((r[1:] - free).mean() - beta * (b[1:] - free).mean()) * per_year,
    "correlation": r[1:].corr(b[1:]),
    "trackingError": apart.std() * math.sqrt(per_year),
    "informationRatio": apart.mean() / apart.std() * math.sqrt(per_year),
    "upCapture": r[b > 0].mean() / b[b > 0].mean(),
    "downCapture": r[b < 0].mean() / b[b < 0].mean(),
    "exposure": (1 - account.cash / account.equity).mean(),
    "held": given["positions"] / n,
    "turnover": account.traded.sum() / 2 / account.equity.mean() * per_year / n,
    "costs": costs,
    "costDrag": costs / account.equity.mean() * per_year / n,
    "costShare": costs / account.traded.sum(),
    "fills": given["fills"],
    "rejected": given["rejected"],
    "roundTrips": len(trips),
    "winRate": len(gains) / len(trips) if len(trips) else math.nan,
    "profitFactor": gains.sum() / -losses.sum() if len(losses) else math.nan,
    "payoff": gains.mean() / -losses.mean() if len(losses) and len(gains) else math.nan,
    "meanTrip": trips.pnl.mean(),
    "holding": np.median(held) if held else math.nan,
}
out = {name: None if math.isnan(value) else float(value) for name, value in figures.items()}
months = {str(period).replace("-", ""): value for period, value in monthly.items()}
json.dump({"figures": out, "months": months}, sys.stdout)
