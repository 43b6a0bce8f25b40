"""Random worlds for the differential test: python3 make_worlds.py SEED COUNT [--bad] [--programs]  (one JSON a line on stdout).

--bad makes about one world in ten wrong (bar outside its life, weights above 1, ...): the oracle answers {"error"}.
Without --programs a seed gives the worlds it always gave: fixed decisions, no `sizeAt`.

Worlds with programs (--programs)
---------------------------------
As the others, with these additions; all kinds in turn (trail and stop twice), 20 to 45 days;
one in four with many merged shares.

options.sizeAt   "decision" or "fill"; absent = "decision".
decisions        {day: {"ranked": [best first], "n", "exitRank"?, "rebalance"?: "swap"} or {"weights": {symbol: "0.2" or "keep"}}};
                 read by kind "given" alone, {} with the others.
exits            {day: [symbol, ...]}: names for which exit is true at that close if they are held then and have a bar.
                 Absent = none. A program's own exits (trail, stop, take) count beside them.
program          {"kind", ...}: what decides. Shares are texts with at most three decimals.
                 Comparisons: head of backtest_oracle.py.

"keepWithin" is `exitRank`: at least n counts. A "ranked" program has {day: [symbols, best first]} under "ranked", for every day on
which it decides: each day, or with "weekly": true each day whose number in `days` (from 0) is a multiple of 5. Whoever is not in
the list has no score. It means {"ranked", n, exitRank: keepWithin} of convention 6, unless said otherwise:

{"kind": "given"}                                              the world's `decisions`
{"kind": "swap", n, keepWithin, weekly, ranked}                with rebalance "swap" (C)
{"kind": "ranked-rest", n, keepWithin, rest, weekly, ranked}   without the names whose daysSinceExit < rest (H), held or not;
                 they are left out before ranks are counted, as by exit (E)
{"kind": "ranked-trail", n, keepWithin, trail, weekly, ranked, rebalance?}        exit: close <= highSinceEntry x (1 - trail) (I, E)
{"kind": "ranked-stop", n, keepWithin, stop, take, weekly, ranked, rebalance?}    exit: close <= entryPrice x (1 - stop)
                 or close >= entryPrice x (1 + take)
{"kind": "drawdown", n, keepWithin, stop, rest, weekly, ranked}    state {peak, until, next}, at first {null, null, 0}.
                 A decision:
                 number = next, next = next + 1
                 if until is set: if number < until: empty weights, done; else peak = equity, until = null
                 peak = equity if it is null or less
                 if equity < peak x (1 - stop): until = number + rest, empty weights; else as ranked
                 (so the decision that sells is the first of `rest` in cash, each of which sells what could not be sold before)
{"kind": "cash-sized", n, keepWithin, weekly, ranked}          who is chosen as ranked; by weights: "keep" of the chosen that are
                 held, to each other min(1/n, cash / equity / free), free = n less the chosen that are held
{"kind": "trim", n, keepWithin, cap, weekly, ranked}           who is chosen as ranked; by weights: of the chosen that are held,
                 `cap` if value / equity > cap, else "keep"; to each other 1/n. cap <= 1/n
{"kind": "weights-keep", "weights": {day: {symbol: "0.2" or "keep"}}}    decides on the days that it names

Exit (E) acts on what a program decides: it leaves names out of "ranked" and sets those of weights to 0 ("keep" too);
cash-sized and trim choose before that, so that the place of a name that exits stays cash.
"""
import datetime
import json
import random
import sys
from decimal import Decimal, ROUND_HALF_UP

from backtest_oracle import CLASSES, KINDS, STOCKS, TICK, day_limits

ANCHORS = ["20220429", "20220801", "20230410", "20230828", "20260706", "20260706"]
SPANS_OFF = [("20220103", "20220103"), ("20220131", "20220204"), ("20220404", "20220405"), ("20220502", "20220504"),
             ("20220603", "20220603"), ("20220912", "20220912"), ("20221003", "20221007"), ("20230102", "20230102"),
             ("20230123", "20230127"), ("20230405", "20230405"), ("20230501", "20230503"), ("20230622", "20230623"),
             ("20230929", "20231006"), ("20240101", "20240101"), ("20240209", "20240216"), ("20240404", "20240405"),
             ("20240501", "20240503"), ("20240610", "20240610"), ("20240916", "20240917"), ("20241001", "20241007"),
             ("20250101", "20250101"), ("20250128", "20250204"), ("20250404", "20250404"), ("20250501", "20250505"),
             ("20250602", "20250602"), ("20251001", "20251008"), ("20260101", "20260102"), ("20260216", "20260223"),
             ("20260406", "20260406"), ("20260501", "20260505"), ("20260619", "20260619"), ("20260925", "20260925")]


def trading_days():
    """Weekdays of 2022 to September 2026 that are no holidays."""
    found = []
    day = datetime.date(2022, 1, 1)
    while day < datetime.date(2026, 9, 30):
        text = day.strftime("%Y%m%d")
        if day.weekday() < 5 and not any(a <= text <= b for a, b in SPANS_OFF):
            found.append(text)
        day += datetime.timedelta(days=1)
    return found


CALENDAR = trading_days()
CODES = {"main": ["600%03d.SH", "000%03d.SZ"], "chinext": ["300%03d.SZ"], "star": ["688%03d.SH"],
         "bse": ["920%03d.BJ", "832%03d.BJ"], "etf": ["510%03d.SH", "159%03d.SZ"], "etf20": ["588%03d.SH"],
         "etf0": ["513%03d.SH", "518%03d.SH"], "bond": ["113%03d.SH", "123%03d.SZ"]}


def on_tick(price, tick):
    """Half up to the tick, at least one tick."""
    return max(tick, Decimal(price).quantize(tick, rounding=ROUND_HALF_UP))


def pick(rng, pairs):
    """A value by its weight."""
    return rng.choices([p[0] for p in pairs], [p[1] for p in pairs])[0]


def make_days(rng):
    """8 to 25 days, mostly around one of the dates at which a rule changes."""
    count = rng.randint(8, 25)
    if rng.random() < 0.85:
        anchor = CALENDAR.index(rng.choice(ANCHORS))
        first = anchor - rng.randint(0, count - 2)
    else:
        first = rng.randint(0, len(CALENDAR) - count - 1)
    return CALENDAR[first:first + count]


def make_symbol(rng, days, number, cls):
    """Class, listing, ST spans and end of one symbol."""
    listed = None
    draw = rng.random() * (0.6 if cls == "bond" else 1)
    if draw < 0.30:
        listed = days[rng.randint(0, min(len(days) - 1, 9))]
        for border in ("20230410", "20220801"):
            if border in days and rng.random() < 0.5:
                at = days.index(border) + rng.choice([-2, -1, 0, 0, 1, 2])
                listed = days[min(max(at, 0), len(days) - 1)]
    elif draw < 0.36:
        listed = "20210104"
    st = []
    if rng.random() < (0.55 if cls == "main" else 0.15):
        a = rng.randint(0, len(days) - 1)
        b = rng.randint(a, len(days) - 1)
        st.append([days[a], days[b] if b > a else "20991231"])
        if rng.random() < 0.3:
            st = [["20200101", days[rng.randint(0, len(days) - 1)]]] if rng.random() < 0.5 else [["20200101", "20991231"]]
    end = None
    if rng.random() < 0.18:
        after = days.index(listed) + 1 if listed in days else 1
        if after < len(days):
            end = {"day": days[rng.randint(after, len(days) - 1)], "price": None}
    code = rng.choice(CODES[cls]) % number
    return {"symbol": code, "class": cls, "listed": listed, "st": st, "end": end}


def first_price(rng, cls, small):
    """Base price: tiny (always in a small world), a trap of half up, normal, or too dear for one lot."""
    tick = TICK[cls]
    kind = pick(rng, [("tiny", 2), ("trap", 2), ("normal", 6), ("dear", 1)])
    if kind == "tiny" or small:
        return tick * rng.randint(1, 25 if cls in STOCKS else 250)
    if kind == "trap":
        return tick * (rng.randint(1, 300) * 10 + 5)
    if kind == "dear":
        return on_tick(Decimal(rng.randint(300, 1800)), tick)
    if cls == "bond":
        return on_tick(Decimal(rng.randint(80000, 200000)) / 1000, tick)
    return on_tick(Decimal(rng.randint(200, 6000)) / 100, tick)


def moved(rng, base, tick, limits, special):
    """A price of the day: at a limit, beside one, outside one, or at the limit of another rule, or anywhere."""
    kind = pick(rng, [("up", 9), ("down", 9), ("beside", 8), ("outside", 3), ("flat", 6), ("near", 38), ("wide", 20), ("rival", 9)])
    if special and rng.random() < 0.7:
        kind = rng.choice(["rival", "rival", "wide"])
    if limits is None:
        if kind == "outside":
            return tick * rng.randint(1, 4)
        if kind in ("near", "flat"):
            return on_tick(base * Decimal(rng.randint(970, 1030)) / 1000, tick)
        return on_tick(base * Decimal(rng.randint(600, 1700)) / 1000, tick)
    up, down = limits
    if kind == "up":
        return up
    if kind == "down":
        return down
    if kind == "rival":
        percent = rng.choice([-1, 1]) * Decimal(rng.choice(["0.05", "0.05", "0.10", "0.20", "0.30", "0.36", "0.433"]))
        return min(max(on_tick(base * (1 + percent), tick), down), up)
    if kind == "beside":
        return max(tick, rng.choice([up - tick, down + tick]))
    if kind == "outside":
        return max(tick, rng.choice([up + tick, down - tick, up + 3 * tick, down - 2 * tick]))
    if kind == "flat":
        return base
    spread = 30 if kind == "near" else 180
    price = on_tick(base * Decimal(1000 + rng.randint(-spread, spread)) / 1000, tick)
    return min(max(price, down), up)


def pre_close_of(rng, last, tick, merges, top):
    """The last close, or an ex-rights price (dividend, bonus, merged shares); with a top no merge goes above it."""
    kind = pick(rng, [("same", 88), ("dividend", 5), ("bonus", 3), ("merge", merges), ("tick", 2)])
    if kind == "dividend":
        return on_tick(last * Decimal(rng.randint(930, 999)) / 1000, tick)
    if kind == "bonus":
        return on_tick(last / rng.choice([Decimal("1.1"), Decimal("1.3"), Decimal("1.5"), Decimal(2), Decimal(3)]), tick)
    if kind == "merge":
        merged = on_tick(last * rng.choice([Decimal("1.07"), Decimal(2), Decimal(5), Decimal(1000)]), tick)
        return last if top is not None and merged > top else merged
    if kind == "tick":
        return max(tick, last + rng.choice([-tick, tick]))
    return last


def make_volume(rng, special):
    """Lots: null, 0, a few or many (mostly many on a special day)."""
    kind = pick(rng, [("null", 5), ("zero", 5), ("few", 12), ("some", 25), ("many", 53)])
    if special and rng.random() < 0.7:
        kind = "many"
    top = {"few": 8, "some": 400, "many": 500000}
    return {"null": None, "zero": 0}[kind] if kind in ("null", "zero") else rng.randint(1, top[kind])


def make_bars(rng, symbol, days, small, merges, top):
    """The bars of one symbol inside its life; sometimes a long suspension; also sets the end price.

    Special days (listing, borders of an ST span) are mostly traded and reach for the limits of other rules."""
    cls, tick = symbol["class"], TICK[symbol["class"]]
    suspended = rng.choice([0.03, 0.08, 0.25])
    last, bars, gap = first_price(rng, cls, small), {}, 0
    for day in days:
        if symbol["listed"] is not None and day < symbol["listed"]:
            continue
        if symbol["end"] is not None and day >= symbol["end"]["day"]:
            break
        border = any(day in span for span in symbol["st"]) or symbol["st"] and day == "20260706"
        special = day == symbol["listed"] or border
        if gap > 0 and not special or rng.random() < suspended * (0.3 if special else 1):
            gap = max(gap - 1, 0) if gap > 0 else rng.choice([0, 0, 0, 1, 5])
            continue
        pre = pre_close_of(rng, last, tick, merges, top)
        limits = day_limits(symbol, day, days, pre)
        opened = moved(rng, pre, tick, limits, special)
        close = moved(rng, opened if limits is None else pre, tick, limits, special)
        if rng.random() < 0.2:
            trap = on_tick((close // (tick * 10)) * tick * 10 + 5 * tick, tick)
            close = trap if limits is None else min(max(trap, limits[1]), limits[0])
        high, low = max(opened, close), min(opened, close)
        if limits is not None and rng.random() < 0.3:
            high, low = max(high, limits[0]), min(low, limits[1])
        values = {"open": opened, "high": high, "low": low, "close": close, "pre_close": pre}
        bars[day] = {key: format(value.quantize(tick), "f") for key, value in values.items()}
        bars[day]["vol"] = make_volume(rng, special)
        last = close
    if symbol["end"] is not None and rng.random() < 0.5:
        symbol["end"]["price"] = format(on_tick(last * Decimal(rng.randint(500, 1200)) / 1000, Decimal("0.001")), "f")
    return bars


def make_commission(rng):
    """Usual, free, dear (fees matter for a small account), and by class."""
    plan = rng.choice([{"rate": "0.00025", "min": "5"}, {"rate": "0.0003", "min": "0"}, {"rate": "0", "min": "0"},
                       {"rate": "0.003", "min": "5"}, {"rate": "0.00012", "min": "0.1"}, {"rate": "0.01", "min": "60"},
                       {"rate": "0.000333", "min": "1.005"}])
    plan = dict(plan)
    if rng.random() < 0.5:
        plan["byClass"] = {}
        for cls in rng.sample(CLASSES, rng.randint(1, 3)):
            plan["byClass"][cls] = rng.choice([{"rate": "0.0002", "min": "1"}, {"rate": "0.00005", "min": "0"},
                                               {"rate": "0.002", "min": "20"}])
    return plan


def make_options(rng, number):
    """All fills in turn; all slippages; caps; ex-rights modes; bands."""
    slippage = rng.choice([{}, {"ticks": 1}, {"ticks": rng.randint(2, 9)}, {"bps": 5}, {"bps": rng.randint(1, 300)},
                           {"ticks": 0}, {"bps": 0}])
    return {"fill": ["nextOpen", "nextClose", "sameClose"][number % 3], "slippage": slippage,
            "volumeCap": rng.choice([None, None, "0.1", "0.25", "0.033", "1"]), "commission": make_commission(rng),
            "exRights": pick(rng, [("shares", 5), ("cash", 4), ("none", 2)]),
            "band": pick(rng, [(0, 6), (1, 1), (2, 1), (3, 1), (20, 1)])}


def make_ranked(rng, codes, previous):
    """A ranking: new, or the last one with one swap; sometimes shorter than n or empty."""
    if previous is not None and "ranked" in previous and previous["ranked"] and rng.random() < 0.6:
        ranked = list(previous["ranked"])
        for _ in range(rng.randint(0, 2)):
            i, j = rng.randrange(len(ranked)), rng.randrange(len(ranked))
            ranked[i], ranked[j] = ranked[j], ranked[i]
        decision = {"ranked": ranked, "n": previous["n"]}
    else:
        ranked = rng.sample(codes, rng.randint(0 if rng.random() < 0.05 else 2, len(codes)))
        decision = {"ranked": ranked, "n": rng.randint(1, 5)}
    if rng.random() < 0.6:
        decision["exitRank"] = max(1, decision["n"] + rng.choice([-1, 0, 1, 2, 2, 3]))
    return decision


def make_weights(rng, codes, previous):
    """Weights: none, equal thirds, whole tenths summing to 1, odd decimals, zeros, tiny ones, or the last ones again."""
    if previous is not None and "weights" in previous and rng.random() < 0.3:
        return {"weights": dict(previous["weights"])}
    kind = pick(rng, [("none", 1), ("tenths", 4), ("odd", 4), ("tiny", 1), ("all", 1)])
    chosen = [] if kind == "none" else rng.sample(codes, rng.randint(1, min(5, len(codes))))
    if kind == "all":
        return {"weights": {chosen[0]: "1"}}
    weights, left = {}, Decimal(1)
    for code in chosen:
        if kind == "tenths":
            weight = Decimal(rng.randint(0, 5)) / 10
        elif kind == "tiny":
            weight = Decimal(rng.randint(0, 30)) / 10000
        else:
            weight = Decimal(rng.randint(1, 499999)) / 1000000
        weight = min(weight, left)
        left -= weight
        weights[code] = format(weight, "f")
    return {"weights": weights}


def make_decisions(rng, days, symbols):
    """Decisions on most days; the form changes now and then; new listings and ST borders often get their own."""
    codes = [s["symbol"] for s in symbols]
    often, form = rng.choice([0.4, 0.75, 1.0]), rng.random()
    decisions, previous = {}, None
    for day in days:
        if rng.random() < often:
            make = make_ranked if rng.random() < form else make_weights
            previous = make(rng, codes, previous)
            decisions[day] = previous
        tomorrow = days[min(days.index(day) + 1, len(days) - 1)]
        fresh = [s["symbol"] for s in symbols if s["listed"] in (day, tomorrow)]
        fresh += [s["symbol"] for s in symbols if s["class"] == "main" and s["symbol"] not in fresh
                  and any(d in span for d in (day, tomorrow) for span in s["st"])]
        if fresh and rng.random() < 0.6:
            decisions[day] = {"weights": {code: rng.choice(["0", "0.1", "0.125"]) for code in fresh}}
    return decisions


def perturb(rng, world):
    """Make the world wrong in one way."""
    kind = rng.choice(["weight", "negative", "bar", "unknown", "twice"])
    day, code = world["days"][0], world["symbols"][0]["symbol"]
    if kind == "weight":
        world["decisions"][day] = {"weights": {code: "0.6", world["symbols"][1]["symbol"]: "0.4001"}}
    elif kind == "negative":
        world["decisions"][day] = {"weights": {code: "-0.1"}}
    elif kind == "bar":
        world["symbols"][0]["end"] = {"day": min(world["bars"][code], default=day), "price": None}
        world["bars"][code].setdefault(world["days"][-1], {"open": "5.000", "high": "5.000", "low": "5.000",
                                                           "close": "5.000", "pre_close": "5.000", "vol": 1})
    elif kind == "unknown":
        world["decisions"][day] = {"ranked": ["999999.SH"], "n": 1}
    else:
        world["decisions"][day] = {"ranked": [code, code], "n": 2}


def make_world(rng, number, days=None, merges=3, top=None):
    """One world: 6 to 8 symbols, 8 to 25 days; one in ten is small: little cash, tiny prices, a minimum fee that hurts."""
    days = days or make_days(rng)
    small = rng.random() < 0.1
    classes = rng.sample(CLASSES, rng.randint(4, 6)) + ["main", rng.choice(STOCKS)]
    if "20260706" in days:
        classes[0] = "main"
    symbols = [make_symbol(rng, days, 100 * rng.randint(0, 8) + i + 1, cls) for i, cls in enumerate(classes)]
    bars = {}
    for symbol in symbols:
        bars[symbol["symbol"]] = make_bars(rng, symbol, days, small, merges, top)
    cash = pick(rng, [("1000000.00", 4), ("10000000.00", 2), ("100000.00", 3), ("20000.00", 2), ("5000.00", 1),
                      ("300.00", 1), ("123456.78", 1)])
    options = make_options(rng, number)
    if small:
        cash = rng.choice(["300.00", "77.77", "1000.00"])
        options["commission"] = rng.choice([{"rate": "0.0003", "min": "5"}, {"rate": "0.001", "min": "20"}])
    return {"days": days, "cash": cash, "symbols": symbols, "bars": bars, "options": options,
            "decisions": make_decisions(rng, days, symbols)}


# ---------------------------------------------------------------- worlds with programs

TURNS = KINDS + ("ranked-trail", "ranked-stop")   # these two the others' double: their prices show in few orders


def make_rankings(rng, codes, days):
    """A ranking of every day that drifts: some swaps a day, now and then a new one, mostly of nearly all names."""
    rankings, ranked = {}, rng.sample(codes, len(codes))
    for day in days:
        if rng.random() < 0.06:
            ranked = rng.sample(codes, rng.randint(0 if rng.random() < 0.2 else 2, len(codes)))
        for _ in range(rng.choice([0, 0, 1, 1, 2]) if ranked else 0):
            i, j = rng.randrange(len(ranked)), rng.randrange(len(ranked))
            ranked[i], ranked[j] = ranked[j], ranked[i]
        rankings[day] = list(ranked)
    return rankings


def with_keeps(rng, decision, codes):
    """Weights of which some are "keep", of names held or not; a ranked decision may be a swap."""
    if "ranked" in decision:
        return {**decision, "rebalance": "swap"} if rng.random() < 0.3 else decision
    weights = {code: "keep" if rng.random() < 0.3 else weight for code, weight in decision["weights"].items()}
    for code in codes:
        if code not in weights and rng.random() < 0.15:
            weights[code] = "keep"
    if rng.random() < 0.08:
        weights = {code: "0" for code in weights}
    return {"weights": weights}


def thousandths(rng, low, high):
    """A share between two numbers of thousandths, mostly whole hundredths, often tenths (exact ties), as text."""
    number = rng.randint(low, high)
    if rng.random() < 0.4 and low <= 100 <= high:
        number = 100 if high < 200 else rng.choice([100, 200])
    number = number if rng.random() < 0.3 else max(10, number // 10 * 10)
    return format(Decimal(number) / 1000, "f")


def make_weights_program(rng, codes, days):
    """Weights on most days, the last ones again now and then, with keeps."""
    weights, previous = {}, None
    for day in days:
        if rng.random() < 0.6:
            previous = make_weights(rng, codes, previous)
            weights[day] = with_keeps(rng, previous, codes)["weights"]
    return {"kind": "weights-keep", "weights": weights}


def make_program(rng, kind, codes, days):
    """A program of a kind."""
    if kind == "given":
        return {"kind": kind}
    if kind == "weights-keep":
        return make_weights_program(rng, codes, days)
    n = rng.randint(1, 4)
    program = {"kind": kind, "n": n, "keepWithin": n + rng.choice([0, 0, 1, 2]), "weekly": rng.random() < 0.3}
    if kind in ("ranked-trail", "ranked-stop"):
        program["weekly"] = rng.random() < 0.6
        if rng.random() < 0.3:
            program["rebalance"] = "swap"
    if kind == "ranked-rest":
        program["rest"] = rng.choice([1, 1, 2, 2, 3, 5, 8])
    if kind == "ranked-trail":
        program["trail"] = thousandths(rng, 20, 150)
    if kind == "ranked-stop":
        program["stop"], program["take"] = thousandths(rng, 20, 120), thousandths(rng, 20, 200)
    if kind == "drawdown":
        program["stop"], program["rest"] = thousandths(rng, 10, 80), rng.choice([1, 2, 3, 5, 10])
    if kind == "trim":
        program["cap"] = thousandths(rng, 100, 1000 // n)
    program["ranked"] = make_rankings(rng, codes, days[::5] if program["weekly"] else days)
    return program


def make_exits(rng, codes, days):
    """Exits by day of some names: none, few or many."""
    often = rng.choice([0, 0.2, 0.5])
    exits = {day: rng.sample(codes, rng.randint(1, 3)) for day in days if rng.random() < often}
    if often and rng.random() < 0.5:
        first = rng.randrange(len(days))
        for day in days[first:first + 4]:
            exits[day] = sorted(set(exits.get(day, [])) | set(codes[:2]))
    return exits


def make_program_world(rng, number):
    """A world of the kind whose turn it is; the fills in turn within a kind."""
    kind = TURNS[number % len(TURNS)]
    count = rng.randint(20, 45)
    first = CALENDAR.index(rng.choice(ANCHORS)) - rng.randint(0, count - 2)
    days = CALENDAR[first:first + count]
    world = make_world(rng, number // len(TURNS), days, 25 if rng.random() < 0.3 else 3, 2000)
    codes = [symbol["symbol"] for symbol in world["symbols"]]
    if rng.random() < 0.9:
        world["options"]["sizeAt"] = pick(rng, [("decision", 2), ("fill", 1)])
    decisions = world["decisions"] if kind == "given" else {}
    world["decisions"] = {day: with_keeps(rng, decision, codes) for day, decision in decisions.items()}
    world["program"] = make_program(rng, kind, codes, days)
    world["exits"] = make_exits(rng, codes, days)
    return world


def main():
    """SEED COUNT [--bad] [--programs]"""
    rng = random.Random(int(sys.argv[1]))
    make = make_program_world if "--programs" in sys.argv else make_world
    for number in range(int(sys.argv[2])):
        world = make(rng, number)
        if "--bad" in sys.argv and rng.random() < 0.1:
            perturb(rng, world)
        print(json.dumps(world, separators=(",", ":")))


if __name__ == "__main__":
    main()
