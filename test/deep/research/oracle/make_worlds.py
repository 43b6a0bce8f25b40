"""Random worlds for the differential test: python3 make_worlds.py SEED COUNT [--bad]  (one JSON a line on stdout).

--bad makes about one world in ten wrong (bar outside its life, weights above 1, ...): the oracle answers {"error"}.
"""
import datetime
import json
import random
import sys
from decimal import Decimal, ROUND_HALF_UP

from backtest_oracle import CLASSES, STOCKS, TICK, day_limits

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


def pre_close_of(rng, last, tick):
    """The last close, or an ex-rights price (dividend, bonus, merged shares)."""
    kind = pick(rng, [("same", 88), ("dividend", 5), ("bonus", 3), ("merge", 3), ("tick", 2)])
    if kind == "dividend":
        return on_tick(last * Decimal(rng.randint(930, 999)) / 1000, tick)
    if kind == "bonus":
        return on_tick(last / rng.choice([Decimal("1.1"), Decimal("1.3"), Decimal("1.5"), Decimal(2), Decimal(3)]), tick)
    if kind == "merge":
        return on_tick(last * rng.choice([Decimal("1.07"), Decimal(2), Decimal(5), Decimal(1000)]), tick)
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


def make_bars(rng, symbol, days, small):
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
        pre = pre_close_of(rng, last, tick)
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


def make_world(rng, number):
    """One world: 6 to 8 symbols, 8 to 25 days; one in ten is small: little cash, tiny prices, a minimum fee that hurts."""
    days = make_days(rng)
    small = rng.random() < 0.1
    classes = rng.sample(CLASSES, rng.randint(4, 6)) + ["main", rng.choice(STOCKS)]
    if "20260706" in days:
        classes[0] = "main"
    symbols = [make_symbol(rng, days, 100 * rng.randint(0, 8) + i + 1, cls) for i, cls in enumerate(classes)]
    bars = {}
    for symbol in symbols:
        bars[symbol["symbol"]] = make_bars(rng, symbol, days, small)
    cash = pick(rng, [("1000000.00", 4), ("10000000.00", 2), ("100000.00", 3), ("20000.00", 2), ("5000.00", 1),
                      ("300.00", 1), ("123456.78", 1)])
    options = make_options(rng, number)
    if small:
        cash = rng.choice(["300.00", "77.77", "1000.00"])
        options["commission"] = rng.choice([{"rate": "0.0003", "min": "5"}, {"rate": "0.001", "min": "20"}])
    return {"days": days, "cash": cash, "symbols": symbols, "bars": bars, "options": options,
            "decisions": make_decisions(rng, days, symbols)}


def main():
    """SEED COUNT [--bad]"""
    rng = random.Random(int(sys.argv[1]))
    for number in range(int(sys.argv[2])):
        world = make_world(rng, number)
        if "--bad" in sys.argv and rng.random() < 0.1:
            perturb(rng, world)
        print(json.dumps(world, separators=(",", ":")))


if __name__ == "__main__":
    main()
