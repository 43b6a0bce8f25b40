"""Slow reference engine of a backtest account (the oracle of the differential test).

Worlds come in on stdin, one JSON a line; answers go out on stdout, one JSON a line (formats: world.md).
(Cn) in a docstring is convention n of backtest-conventions.md, (A) to (I) are its additions (A sizing, B band, C swap, D keep,
E exit, F weights of 0, G the account as seen, H daysSinceExit, I highSinceEntry); choices.md lists where a convention left room.
Everything is Decimal, int or Fraction; divisions of decimals are only the exact integer division //, so no result is
ever inexact except by a rounding that is written out; the band, entry prices and highs are fractions.

What a world's program compares (make_worlds.py defines the programs)
--------------------------------------------------------------------
Whoever writes the same programs elsewhere needs this block and the head of make_worlds.py, nothing else.

fen(x) is money in whole fen: it is exact, so round(x * 100) of a float is right. mille(s) is a share in whole
thousandths: stop, take, trail, cap are texts with at most three decimals, so round(s * 1000) is right. mills(p) is a price
in thousandths of a yuan: that of a bar is a whole number (round(p * 1000)); that of entryPrice and highSinceEntry is any
real (p * 1000, not rounded).

  ranked     a given ranking, best first. It has no scores and no ties. What is not in it has no score.
  rest       no candidate if daysSinceExit < rest: integers; never left = infinite. It is asked of held names too.
  trail      exit if mills(close) * 1000 <= mills(highSinceEntry) * (1000 - mille(trail)) + 0.001
  stop       exit if mills(close) * 1000 <= mills(entryPrice) * (1000 - mille(stop)) + 0.001
  take       exit if mills(close) * 1000 >= mills(entryPrice) * (1000 + mille(take)) - 0.001
  drawdown   below if fen(equity) * 1000 < fen(peak) * (1000 - mille(stop)): integers below 2^53
  cash-sized weight = min(1000000 // n, fen(cash) * 1000000 // (fen(equity) * free)) / 1000000: whole millionths; the
             product may pass 2^53, so use big integers. Weight 0 if equity is 0.
  trim       above if fen(value) * 1000 > fen(equity) * mille(cap): integers; the weight it gets is cap as the text says;
             the weight of a new name is (1000000 // n) / 1000000.

The 0.001 of trail, stop and take makes exact ties (frequent, as prices are on the tick) true whatever a float does
with its last digits; the oracle answers {"error"} if a side comes within 0.0005 of that edge or a side is 10^11
(a price of 100,000 yuan) or more, so no world depends on the precision of a float.

entryPrice = cost / shares. A buy adds its amount (yuan without costs) to cost; a sell leaves cost * after / before; ex-rights
of the modes `shares` and `cash` take their cash from cost (in `shares` that of the fraction of a share) and change shares;
`none` changes nothing. It may fall to 0 or below. highSinceEntry, daysSinceExit: H and I.

Answers to worlds with a `program` have two more keys. `seen`: of every day what a decision at its close sees, after that
bar's fills and before those of `sameClose`: {day, cash, equity, positions: [{symbol, value, entryPrice, highSinceEntry}] by symbol,
daysSinceExit: {symbol: days} of those that were left once, state: {peak (fen), until} after the decision of a drawdown, else {}};
entryPrice and highSinceEntry have 9 decimals (compare within 1e-6). `counts`: how often what matters happened (see COUNTS).
"""
import json
import math
import sys
from collections import Counter
from decimal import Decimal, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, getcontext
from fractions import Fraction

getcontext().prec = 100
ZERO = Decimal(0)
ONE = Decimal(1)
FEN = Decimal("0.01")
KEEP = "keep"                                            # a weight that leaves a name as it is (D)
WHOLE = None                                             # the quantity of a sell of whatever is held (A, C9)
KINDS = ("given", "ranked-rest", "ranked-trail", "ranked-stop", "drawdown", "cash-sized", "trim", "swap", "weights-keep")
EDGE = Fraction(1, 1000)                                 # what makes exact ties of trail, stop and take true

STOCKS = ("main", "chinext", "star", "bse")
ETFS = ("etf", "etf20", "etf0")
CLASSES = STOCKS + ETFS + ("bond",)
SAME_DAY_CLASSES = ("etf0", "bond")                      # T+0 (C28, section 1.4)
TICK = {c: Decimal("0.01") if c in STOCKS else Decimal("0.001") for c in CLASSES}

# Where a convention leaves room and the other reading is likely: one switch each (see choices.md).
BAND_BINDS_SMALL = True       # choice 12, B: the band also holds back the whole sale of a target that floors to no lot
CLAMP_BOTH_ENDS = False       # choice 15: clamp a price to both limits, not only in the direction of the slippage
NULL_VOLUME_NEEDS_CAP = True  # choice 19: vol null stops trading only if there is a volumeCap
ROUND_SIZING_MARKS = True     # choice 8: the value for sizing adds positions rounded to fen each
SMALL_TARGET_IS_ZERO = False  # choice 11: a target below the minimum order (STAR 150, Beijing 50) counts as 0
ZERO_WEIGHT_SILENT = True     # choice 5: weight 0 of a name that is not held is no order and no rejection
DELISTED_BEATS_SELL = True    # A: a named target of an instrument that is gone at the fill is `delisted`, whatever its order was
LEFT_OUT_MOVES_RANKS = True   # E, H: who is left out of the candidates gives his rank to the next; keepWithin counts without him
MERGED_AWAY_IS_EXIT = True    # H: ex-rights that leave no share end the position as a fill does
SELLING_COUNTS_AS_REST = True # drawdown: the decision that sells is the first of the `rest` ones in cash

# What is counted in worlds with a program:
COUNTS = {
    "sizesDiffer": "orders that would be another number if sized at the other moment (decision, fill)",
    "orders": "orders with a number (not whole sells) to set against it",
    "exits": "names for which exit was true at a close", "exitAlone": "of these on a bar without a decision",
    "exitAnew": "of these whose sell of the last close was not filled in full",
    "exitUnasked": "held names without a bar at a close",
    "swapKept": "names left alone by a swap", "kept": "names left alone by keep", "keptNothing": "keep of a name not held",
    "rested": "candidates left out by rest", "drawdowns": "times that equity fell below the stop",
    "bandHeld": "held names left alone by the band", "unnamedSmall": "whole sells that the band would have held back before",
    "sellCut": "partial sells cut to what ex-rights left", "sellGone": "sells of a position that is gone at the fill",
    "buyGone": "orders dropped because the instrument is delisted at the fill", "allZero": "decisions whose weights are all 0",
    "cashWeights": "new names of cash-sized that got less than 1/n", "trimmed": "held names above the cap of trim",
}


# ---------------------------------------------------------------- rounding and quantities

def to_fen(amount):
    """Money half up to fen (C25, C33)."""
    return amount.quantize(FEN, rounding=ROUND_HALF_UP)


def lot_step(cls):
    """Step of an order quantity (C17)."""
    if cls == "bond":
        return 10
    if cls in ("star", "bse"):
        return 1
    return 100


def lot_minimum(cls):
    """Smallest order (C17): STAR 200, Beijing 100, stocks and ETFs 100, bonds 10."""
    return {"bond": 10, "star": 200}.get(cls, 100)


def legal_part(quantity, cls):
    """Largest legal order that is not above quantity: floored to the step, nothing below the minimum (C17, C19)."""
    step = lot_step(cls)
    floored = quantity // step * step
    return floored if floored >= lot_minimum(cls) else 0


# ---------------------------------------------------------------- limits

def listing_day_number(info, day, days):
    """Exchange days since listing, the listing day is 1; None = listed before the world (C14)."""
    listed = info["listed"]
    if listed is None or listed < days[0]:
        return None
    number = 0
    for d in days:
        if listed <= d <= day:
            number += 1
    return number


def is_st(info, day):
    """ST spans are [from, until) (world.md)."""
    for start, until in info["st"]:
        if start <= day < until:
            return True
    return False


def limit_percents(info, day, days):
    """(up, down) shares of pre_close, None = no limit that day (C14, C15, C16). First days beat ST."""
    cls = info["class"]
    number = listing_day_number(info, day, days)
    if cls == "main":
        if number is not None and info["listed"] >= "20230410" and number <= 5:
            return None
        if number == 1 and info["listed"] < "20230410":
            return Decimal("0.44"), Decimal("0.36")
        if is_st(info, day) and day < "20260706":
            return Decimal("0.05"), Decimal("0.05")
        return Decimal("0.10"), Decimal("0.10")
    if cls in ("chinext", "star"):
        if number is not None and number <= 5:
            return None
        return Decimal("0.20"), Decimal("0.20")
    if cls == "bse":
        return None if number == 1 else (Decimal("0.30"), Decimal("0.30"))
    if cls == "etf20":
        return Decimal("0.20"), Decimal("0.20")
    if cls in ("etf", "etf0"):
        return Decimal("0.10"), Decimal("0.10")
    assert cls == "bond"
    if day < "20220801":
        return None
    if number == 1:
        return Decimal("0.573"), Decimal("0.433")
    return Decimal("0.20"), Decimal("0.20")


def day_limits(info, day, days, pre_close):
    """(limit-up, limit-down) or None: half up to the tick, Beijing's inward, one tick away from pre_close, at least one tick (C12)."""
    percents = limit_percents(info, day, days)
    if percents is None:
        return None
    tick = TICK[info["class"]]
    is_cut = info["class"] == "bse"
    up = (pre_close * (ONE + percents[0])).quantize(tick, rounding=ROUND_FLOOR if is_cut else ROUND_HALF_UP)
    down = (pre_close * (ONE - percents[1])).quantize(tick, rounding=ROUND_CEILING if is_cut else ROUND_HALF_UP)
    up = max(up, pre_close + tick)
    down = max(min(down, pre_close - tick), tick)
    return up, down


def refused_at_limit(side, raw, limits):
    """Reason of a refusal at the limit, or None; only the raw fill price counts (C13)."""
    if limits is None:
        return None
    if side == "buy" and raw >= limits[0]:
        return "limit-up"
    if side == "sell" and raw <= limits[1]:
        return "limit-down"
    if raw > limits[0] or raw < limits[1]:
        return "outside"
    return None


# ---------------------------------------------------------------- prices and costs

def slipped_price(side, raw, slippage, tick, limits):
    """Ticks against the trader; bps, then to the tick against him; then kept inside the day's limits (C11)."""
    sign = 1 if side == "buy" else -1
    price = raw
    if "ticks" in slippage:
        price = raw + sign * slippage["ticks"] * tick
    elif "bps" in slippage:
        moved = raw * (ONE + sign * slippage["bps"] * Decimal("0.0001"))
        price = moved.quantize(tick, rounding=ROUND_CEILING if side == "buy" else ROUND_FLOOR)
    if limits is not None:
        if side == "buy" or CLAMP_BOTH_ENDS:
            price = min(price, limits[0])
        if side == "sell" or CLAMP_BOTH_ENDS:
            price = max(price, limits[1])
    return max(price, tick)


def fees_of(world, info, day, side, amount):
    """(commission, stamp, transfer), each rounded on its own (C22, C23, C24, C25)."""
    plan = world["commission"]
    own = plan["byClass"].get(info["class"], plan)
    commission = to_fen(max(own["min"], own["rate"] * amount))
    stamp = transfer = ZERO
    if info["class"] in STOCKS:
        if side == "sell":
            stamp = to_fen(amount * (Decimal("0.001") if day < "20230828" else Decimal("0.0005")))
        transfer = to_fen(amount * (Decimal("0.00002") if day < "20220429" else Decimal("0.00001")))
    return commission, stamp, transfer


# ---------------------------------------------------------------- the world

def read_bar(raw, tick):
    """One bar; every price is positive and on the tick (C33), volume is a count of lots, 0 or null."""
    bar = {}
    for key in ("open", "high", "low", "close", "pre_close"):
        bar[key] = Decimal(raw[key])
        assert bar[key] > 0, "price not positive"
        assert bar[key] % tick == 0, "price not on the tick"
    bar["vol"] = raw["vol"]
    assert bar["vol"] is None or bar["vol"] >= 0, "volume negative"
    return bar


def read_symbol(raw):
    """One symbol; `end` becomes end_day and end_price (C26)."""
    assert raw["class"] in CLASSES, "unknown class"
    end = raw.get("end")
    price = None if end is None or end["price"] is None else Decimal(end["price"])
    assert price is None or price >= 0, "end price negative"
    return {"symbol": raw["symbol"], "class": raw["class"], "listed": raw.get("listed"), "st": raw.get("st") or [],
            "end_day": None if end is None else end["day"], "end_price": price}


def read_fees(raw):
    """{rate, min} in decimals."""
    return {"rate": Decimal(raw["rate"]), "min": Decimal(raw["min"])}


def read_options(raw, world):
    """Options of the world as decimals; the default of exRights is `shares` (C27), of band 0 (C34)."""
    world["fill"] = raw["fill"]
    assert world["fill"] in ("nextOpen", "nextClose", "sameClose"), "unknown fill"
    world["slippage"] = {k: Decimal(str(v)) for k, v in (raw.get("slippage") or {}).items()}
    assert len(world["slippage"]) <= 1, "two kinds of slippage"
    cap = raw.get("volumeCap")
    world["cap"] = None if cap is None else Decimal(cap)
    plan = read_fees(raw["commission"])
    plan["byClass"] = {c: read_fees(f) for c, f in (raw["commission"].get("byClass") or {}).items()}
    world["commission"] = plan
    world["exRights"] = raw.get("exRights") or "shares"
    assert world["exRights"] in ("shares", "cash", "none"), "unknown exRights"
    world["band"] = raw.get("band") or 0
    world["sizeAt"] = raw.get("sizeAt") or "decision"
    assert world["sizeAt"] in ("decision", "fill"), "unknown sizeAt"


def read_decision(raw, infos):
    """A decision is {ranked, n, exitRank, rebalance} or {weights}; weights >= 0 with sum <= 1, else an error (C5).

    A weight may be "keep" and is no part of the sum then (D)."""
    if "weights" in raw:
        weights = {s: KEEP if w == KEEP else Decimal(w) for s, w in raw["weights"].items()}
        for symbol, weight in weights.items():
            assert symbol in infos, "decision names an unknown symbol"
            assert weight == KEEP or weight >= 0, "weight below 0"
        assert sum((w for w in weights.values() if w != KEEP), ZERO) <= 1, "weights above 1"
        return {"weights": weights}
    ranked = raw["ranked"]
    assert len(set(ranked)) == len(ranked), "symbol ranked twice"
    for symbol in ranked:
        assert symbol in infos, "decision names an unknown symbol"
    assert raw["n"] >= 1, "n below 1"
    assert raw.get("rebalance") in (None, "equal", "swap"), "unknown rebalance"
    return {"ranked": ranked, "n": raw["n"], "exitRank": max(raw["n"], raw.get("exitRank") or raw["n"]),
            "rebalance": raw.get("rebalance") or "equal"}


def read_program(raw, world):
    """The program of a world (head of make_worlds.py); shares become whole thousandths."""
    program = dict(raw)
    assert program["kind"] in KINDS, "unknown kind of program"
    for key in ("trail", "stop", "take", "cap"):
        if key in program:
            mille = Decimal(program[key]) * 1000
            assert mille == int(mille) > 0, key + " not in thousandths"
            program[key] = int(mille)
    for day, ranked in program.get("ranked", {}).items():
        assert day in world["days"], "ranking on no exchange day"
        assert set(ranked) <= set(world["infos"]) and len(set(ranked)) == len(ranked), "ranking wrong"
    return program


def read_world(raw):
    """The whole world in decimals; a bar outside the listed life is an error (C26)."""
    days = raw["days"]
    assert days and all(a < b for a, b in zip(days, days[1:])), "days not ascending"
    infos = {}
    for one in raw["symbols"]:
        assert one["symbol"] not in infos, "symbol twice"
        infos[one["symbol"]] = read_symbol(one)
    bars = {symbol: {} for symbol in infos}
    for symbol, of_days in raw["bars"].items():
        assert symbol in infos, "bars of an unknown symbol"
        info = infos[symbol]
        for day, bar in of_days.items():
            assert day in days, "bar on no exchange day"
            assert info["listed"] is None or day >= info["listed"], "bar before listing"
            assert info["end_day"] is None or day < info["end_day"], "bar after the end"
            bars[symbol][day] = read_bar(bar, TICK[info["class"]])
    world = {"days": days, "start": Decimal(raw["cash"]), "infos": infos, "bars": bars}
    assert world["start"] >= 0 and world["start"] == to_fen(world["start"]), "starting cash not in fen or negative"
    read_options(raw["options"], world)
    world["decisions"] = {}
    for day, decision in raw["decisions"].items():
        assert day in days, "decision on no exchange day"
        world["decisions"][day] = read_decision(decision, infos)
    world["hasProgram"] = "program" in raw
    world["program"] = read_program(raw.get("program") or {"kind": "given"}, world)
    world["exits"] = raw.get("exits") or {}
    for day, symbols in world["exits"].items():
        assert day in days and set(symbols) <= set(infos), "exits of no exchange day or an unknown symbol"
    return world


# ---------------------------------------------------------------- the account

class Account:
    """Cash, shares, what was traded today, the last closes, and everything recorded."""

    def __init__(self, world):
        self.world = world
        self.cash = world["start"]
        self.shares = {}          # symbol -> shares, only above 0
        self.bought = {}          # symbol -> bought today
        self.traded = {}          # symbol -> traded today, both sides
        self.last_close = {}      # symbol -> last close that is known
        self.open_trips = {}      # symbol -> {"opened", "pnl"}
        self.days, self.fills, self.rejected, self.ex_rights, self.trips = [], [], [], [], []
        self.redemptions = []     # only for the audit
        self.at = 0               # which day of the world
        self.entries = {}         # symbol -> {"cost", "high"}, of what is held
        self.left = {}            # symbol -> the day (number) on which the last position was closed to 0
        self.state = {}           # what a program keeps from decision to decision
        self.exited = {}          # symbol -> the day (number) on which exit was true last
        self.counts = Counter({name: 0 for name in COUNTS})
        self.seen = []

    def bar(self, symbol, day):
        """The bar, None = suspended or not in its life."""
        return self.world["bars"][symbol].get(day)

    def reject(self, day, symbol, side, wanted, filled, reason):
        """Record an order that did not fill in full."""
        self.rejected.append({"day": day, "symbol": symbol, "side": side, "wanted": int(wanted),
                              "filled": int(filled), "reason": reason})

    def days_since_exit(self, symbol):
        """Trading days since the last position was closed, None = never (H)."""
        return self.at - self.left[symbol] if symbol in self.left else None

    def value_of(self, symbol):
        """A position at its last known close, in fen half up (G, C28)."""
        return to_fen(self.shares[symbol] * self.last_close[symbol])

    def equity(self):
        """Cash and the positions, each rounded (G)."""
        return self.cash + sum((self.value_of(symbol) for symbol in self.shares), ZERO)

    def move(self, day, symbol, cash, shares_after, is_exit=True):
        """Change cash and shares at once and keep the round trip: flat to flat, all cash in between (C29)."""
        self.cash += cash
        assert self.cash >= 0, "cash below 0"
        assert shares_after >= 0, "shares below 0"
        trip = self.open_trips.setdefault(symbol, {"opened": day, "pnl": ZERO})
        trip["pnl"] += cash
        if shares_after > 0:
            self.shares[symbol] = shares_after
            return
        del self.shares[symbol]
        del self.open_trips[symbol]
        del self.entries[symbol]
        if is_exit:
            self.left[symbol] = self.at
        self.trips.append({"symbol": symbol, "opened": trip["opened"], "closed": day, "pnl": trip["pnl"]})


def pay_ended(account, day):
    """Redemption and delisting before the open at end.price or the last close, no fee, in symbol order (C26)."""
    for symbol in sorted(account.shares):
        info = account.world["infos"][symbol]
        if info["end_day"] is None or day < info["end_day"]:
            continue
        price = account.last_close[symbol] if info["end_price"] is None else info["end_price"]
        shares = account.shares[symbol]
        cash = to_fen(shares * price)
        account.redemptions.append({"day": day, "symbol": symbol, "shares": shares, "cash": cash})
        account.move(day, symbol, cash, 0)


def adjust_ex_rights(account, day):
    """A held bar whose pre_close is not the last close: more (or merged) shares or cash (C27)."""
    mode = account.world["exRights"]
    if mode == "none":
        return
    for symbol in sorted(account.shares):
        bar = account.bar(symbol, day)
        if bar is None or bar["pre_close"] == account.last_close[symbol]:
            continue
        before, last, pre = account.shares[symbol], account.last_close[symbol], bar["pre_close"]
        if mode == "cash" and pre < last:
            after = before
            cash = to_fen(before * (last - pre))
        else:
            after = int(before * last // pre)
            cash = to_fen(before * last - after * pre)
        assert abs(after * pre + cash - before * last) <= FEN / 2, "ex-rights changed the value"
        account.ex_rights.append({"day": day, "symbol": symbol, "sharesBefore": before, "sharesAfter": after,
                                  "cash": cash})
        account.entries[symbol]["cost"] -= Fraction(cash)
        account.entries[symbol]["high"] *= Fraction(pre) / Fraction(last)
        account.move(day, symbol, cash, after, MERGED_AWAY_IS_EXIT)


# ---------------------------------------------------------------- programs

def is_decision_day(account, day):
    """Given decisions and weights stand by day; the others decide every day, or every 5th if weekly."""
    program = account.world["program"]
    if program["kind"] == "given":
        return day in account.world["decisions"]
    if program["kind"] == "weights-keep":
        return day in program["weights"]
    return account.at % 5 == 0 or not program.get("weekly")


def choose(ranked, n, keep_within, held):
    """Who is chosen, best first: of the held ones within keep_within the n best, then the best that are not held (C6)."""
    chosen = [s for s in ranked[:max(n, keep_within)] if s in held][:n]
    for symbol in ranked:
        if len(chosen) < n and symbol not in held:
            chosen.append(symbol)
    return [symbol for symbol in ranked if symbol in chosen]


def rested(account, ranked):
    """The ranking without those that were left less than `rest` days ago (H)."""
    found = []
    for symbol in ranked:
        since = account.days_since_exit(symbol)
        if since is not None and since < account.world["program"]["rest"]:
            account.counts["rested"] += 1
        else:
            found.append(symbol)
    return found


def millionths(weight):
    """A weight of whole millionths as a decimal."""
    return Decimal(weight) * Decimal("0.000001")


def weights_by_cash(account, ranked):
    """Held ones are kept; a new one gets 1/n or its part of the cash, whichever is less (cash-sized)."""
    program, weights = account.world["program"], {}
    chosen = choose(ranked, program["n"], program["keepWithin"], account.shares)
    free = program["n"] - sum(1 for symbol in chosen if symbol in account.shares)
    cash, equity = int(account.cash * 100), int(account.equity() * 100)
    for symbol in chosen:
        if symbol in account.shares:
            weights[symbol] = KEEP
        else:
            part = cash * 1000000 // (equity * free) if equity > 0 else 0
            account.counts["cashWeights"] += part < 1000000 // program["n"]
            weights[symbol] = millionths(min(1000000 // program["n"], part))
    return weights


def weights_by_cap(account, ranked):
    """Held ones above the cap get the cap, the other held ones are kept; a new one gets 1/n (trim)."""
    program, weights = account.world["program"], {}
    equity = int(account.equity() * 100)
    for symbol in choose(ranked, program["n"], program["keepWithin"], account.shares):
        if symbol not in account.shares:
            weights[symbol] = millionths(1000000 // program["n"])
        elif int(account.value_of(symbol) * 100) * 1000 > equity * program["cap"]:
            account.counts["trimmed"] += 1
            weights[symbol] = Decimal(program["cap"]) * Decimal("0.001")
        else:
            weights[symbol] = KEEP
    return weights


def is_in_cash(account):
    """The state of a drawdown: {peak (fen), until (number of a decision), next (number of this one)}; True = hold nothing."""
    program, state = account.world["program"], account.state
    equity = int(account.equity() * 100)
    number = state["next"] = state.get("next", -1) + 1
    if state.get("until") is not None:
        if number < state["until"]:
            return True
        state["peak"], state["until"] = equity, None
    state.setdefault("until", None)
    state["peak"] = max(equity, state.get("peak", equity))
    if equity * 1000 < state["peak"] * (1000 - program["stop"]):
        account.counts["drawdowns"] += 1
        state["until"] = number + program["rest"] + (0 if SELLING_COUNTS_AS_REST else 1)
        return True
    return False


def decision_of(account, day):
    """What the world or its program decides at this close, in the form of read_decision."""
    world, program = account.world, account.world["program"]
    kind = program["kind"]
    if kind == "given":
        return world["decisions"][day]
    if kind == "weights-keep":
        return read_decision({"weights": program["weights"][day]}, world["infos"])
    ranked = program["ranked"][day]
    if kind == "cash-sized":
        return {"weights": weights_by_cash(account, ranked)}
    if kind == "trim":
        return {"weights": weights_by_cap(account, ranked)}
    if kind == "drawdown" and is_in_cash(account):
        return {"weights": {}}
    if kind == "ranked-rest":
        ranked = rested(account, ranked)
    rebalance = "swap" if kind == "swap" else program.get("rebalance")
    return read_decision({"ranked": ranked, "n": program["n"], "exitRank": program["keepWithin"], "rebalance": rebalance},
                         world["infos"])


def is_at_most(left, right):
    """left <= right of fractions with exact ties true; nobody may be near the edge (head of this file)."""
    assert abs(left - right - EDGE) > EDGE / 2, "a comparison at its edge"
    assert max(abs(left), abs(right)) < 10**11, "a comparison of prices too large for a float"
    return left <= right + EDGE


def is_exit(account, day, symbol):
    """Whether exit is true for a held name with a bar at this close (E): by the world's `exits`, trail, stop or take."""
    program, entry = account.world["program"], account.entries[symbol]
    close = Fraction(account.bar(symbol, day)["close"]) * 1000000
    price = entry["cost"] * 1000 / account.shares[symbol]
    found = symbol in account.world["exits"].get(day, [])
    if program["kind"] == "ranked-trail":
        found |= is_at_most(close, entry["high"] * 1000 * (1000 - program["trail"]))
    if program["kind"] == "ranked-stop":
        found |= is_at_most(close, price * (1000 - program["stop"]))
        found |= is_at_most(price * (1000 + program["take"]), close)
    return found


def asked_exits(account, day):
    """The held names for which exit is true; one without a bar at this close isn't asked (E)."""
    found = set()
    for symbol in sorted(account.shares):
        if account.bar(symbol, day) is None:
            account.counts["exitUnasked"] += 1
        elif is_exit(account, day, symbol):
            found.add(symbol)
            account.counts["exits"] += 1
            account.counts["exitAnew"] += account.exited.get(symbol) == account.at - 1
            account.exited[symbol] = account.at
    return found


def without_exits(decision, exits):
    """A ranked decision without them among the candidates; of weights theirs are 0 (E)."""
    if "weights" in decision:
        return {"weights": {s: ZERO if s in exits else w for s, w in decision["weights"].items()}}
    ranked = [symbol for symbol in decision["ranked"] if symbol not in exits]
    exit_rank = decision["exitRank"]
    if not LEFT_OUT_MOVES_RANKS:
        exit_rank -= sum(1 for symbol in decision["ranked"][:exit_rank] if symbol in exits)
    return {**decision, "ranked": ranked, "exitRank": exit_rank}


# ---------------------------------------------------------------- targets and orders

def make_plan(decision, held, counts):
    """{"targets": [(symbol, weight, divisor)] in the order of buying, "kept": names left as they are} (C2, C6, C7, C8, C, D).

    The target is value x weight / divisor: 1/n for a ranked place, the weight itself (divisor 1) otherwise. What is held
    and in neither is sold whole."""
    if "weights" in decision:
        weights = decision["weights"]
        kept = {symbol for symbol, weight in weights.items() if weight == KEEP}
        counts["kept"] += len(kept & set(held))
        counts["keptNothing"] += len(kept - set(held))
        counts["allZero"] += bool(weights) and all(weight == 0 for weight in weights.values())
        return {"targets": [(symbol, weights[symbol], 1) for symbol in sorted(weights) if symbol not in kept], "kept": kept}
    chosen = choose(decision["ranked"], decision["n"], decision["exitRank"], held)
    kept = {symbol for symbol in chosen if symbol in held} if decision["rebalance"] == "swap" else set()
    counts["swapKept"] += len(kept)
    return {"targets": [(symbol, ONE, decision["n"]) for symbol in chosen if symbol not in kept], "kept": kept}


def plan_of_day(account, day):
    """The plan of a close, None = no decision: that of the decision without exits, or the exits alone, all else kept (E)."""
    exits = asked_exits(account, day)
    if is_decision_day(account, day):
        return make_plan(without_exits(decision_of(account, day), exits), account.shares, account.counts)
    if not exits:
        return None
    account.counts["exitAlone"] += len(exits)
    return {"targets": [], "kept": set(account.shares) - exits}


def fill_price(account, symbol, day, moment):
    """Raw price of the moment; suspended: last close; None = never had one (C3, C9)."""
    bar = account.bar(symbol, day)
    return account.last_close.get(symbol) if bar is None else bar[moment]


def sizing_value(account, day, moment):
    """Cash + every position at the raw price of the moment, once per batch (C9)."""
    value = account.cash
    for symbol, shares in account.shares.items():
        worth = shares * fill_price(account, symbol, day, moment)
        value += to_fen(worth) if ROUND_SIZING_MARKS else worth
    return value


def held_order(account, symbol, weight, target, exact):
    """(side, quantity) of a held name or None if the change is silent (C10, C17, C19, C34, B).

    exact is the target in shares before it is floored: the band is of the difference in value at sizing prices (C34).
    Weight 0 is sold whole whatever its size (B)."""
    held, cls = account.shares[symbol], account.world["infos"][symbol]["class"]
    is_small = abs(exact - held) < account.world["band"] * lot_step(cls)
    if weight == 0:
        return "sell", WHOLE
    if is_small and (BAND_BINDS_SMALL or target > 0):
        return "band", 0
    if target == 0:
        return "sell", WHOLE
    quantity = legal_part(abs(target - held), cls)
    if quantity == 0:
        return None
    return ("buy" if target > held else "sell"), quantity


def size_orders(account, day, plan, moment):
    """{symbol: (side, quantity)} at the raw prices of a moment, by what is held then (C5, C9); side may be a refusal's reason.

    With `sizeAt: 'decision'` the moment is the decision's close after its fills, with 'fill' that of the fill (A)."""
    value = sizing_value(account, day, moment)
    named = {symbol for symbol, _, _ in plan["targets"]}
    orders = {symbol: ("sell", WHOLE) for symbol in account.shares if symbol not in named and symbol not in plan["kept"]}
    for symbol, weight, divisor in plan["targets"]:
        cls = account.world["infos"][symbol]["class"]
        price = fill_price(account, symbol, day, moment)
        if price is None:
            orders[symbol] = ("not-listed", 0)
            continue
        step = lot_step(cls)
        target = int(value * weight // (divisor * price * step)) * step
        if SMALL_TARGET_IS_ZERO and target < lot_minimum(cls):
            target = 0
        if symbol in account.shares:
            exact = Fraction(value) * Fraction(weight) / (Fraction(divisor) * Fraction(price))
            order = held_order(account, symbol, weight, target, exact)
            if order is not None:
                orders[symbol] = order
        else:
            quantity = legal_part(target, cls)
            orders[symbol] = ("buy", quantity) if quantity > 0 else ("lot", 0)
    return orders


def refusal_of(account, day, symbol, orders):
    """Why a named target has no order at its fill: delisted, not-listed, no price, lot, in this order (A, C10)."""
    info = account.world["infos"][symbol]
    is_sell = orders.get(symbol, ("", 0))[0] == "sell"
    if info["end_day"] is not None and day >= info["end_day"] and (DELISTED_BEATS_SELL or not is_sell):
        return "delisted"
    if info["listed"] is not None and day < info["listed"]:
        return "not-listed"
    side = orders.get(symbol, ("", 0))[0]
    return side if side in ("not-listed", "lot") else None


# ---------------------------------------------------------------- filling

def volume_room(account, symbol, bar):
    """Shares the day still lets trade, None = no cap; vol null = no room (C18)."""
    cap = account.world["cap"]
    if cap is None:
        return 0 if bar["vol"] is None and not NULL_VOLUME_NEEDS_CAP else None
    if bar["vol"] is None:
        return 0
    unit = 10 if account.world["infos"][symbol]["class"] == "bond" else 100
    return max(0, int(cap * bar["vol"] * unit // 1) - account.traded.get(symbol, 0))


def sellable_shares(account, symbol):
    """T+1 classes without today's buys, the others all (C28)."""
    shares = account.shares[symbol]
    if account.world["infos"][symbol]["class"] in SAME_DAY_CLASSES:
        return shares
    return shares - account.bought.get(symbol, 0)


def affordable(account, info, day, quantity, price):
    """Largest legal quantity up to `quantity` whose amount + fees <= cash (C21)."""
    step = lot_step(info["class"])
    tried = legal_part(min(quantity, int(account.cash // price)), info["class"])
    while tried >= lot_minimum(info["class"]):
        amount = to_fen(tried * price)
        if amount + sum(fees_of(account.world, info, day, "buy", amount)) <= account.cash:
            return tried
        tried -= step
    return 0


def cash_allows_sell(account, info, day, quantity, price):
    """A sell whose fees would make cash negative is refused (C21)."""
    amount = to_fen(quantity * price)
    return account.cash + amount - sum(fees_of(account.world, info, day, "sell", amount)) >= 0


def cut_order(account, day, symbol, side, wanted, bar, price):
    """(quantity, reason): T+1, then the volume cap, then cash; the last reason that bound stays (C10)."""
    info = account.world["infos"][symbol]
    quantity, reason = wanted, None
    if side == "sell" and quantity > sellable_shares(account, symbol):
        quantity, reason = legal_part(sellable_shares(account, symbol), info["class"]), "T+1"
    room = volume_room(account, symbol, bar)
    if quantity > 0 and room is not None and quantity > room:
        quantity, reason = legal_part(room, info["class"]), "volume"
    if quantity > 0 and side == "buy":
        can_pay = affordable(account, info, day, quantity, price)
        if can_pay < quantity:
            quantity, reason = can_pay, "cash"
    if quantity > 0 and side == "sell" and not cash_allows_sell(account, info, day, quantity, price):
        quantity, reason = 0, "cash"
    return quantity, reason


def execute(account, day, symbol, side, wanted, moment):
    """One order: suspended, volume 0, limit; then the cuts; then the fill (C10, C11, C13)."""
    info = account.world["infos"][symbol]
    bar = account.bar(symbol, day)
    if bar is None:
        return account.reject(day, symbol, side, wanted, 0, "suspended")
    if bar["vol"] == 0:
        return account.reject(day, symbol, side, wanted, 0, "volume")
    limits = day_limits(info, day, account.world["days"], bar["pre_close"])
    refused = refused_at_limit(side, bar[moment], limits)
    if refused is not None:
        return account.reject(day, symbol, side, wanted, 0, refused)
    price = slipped_price(side, bar[moment], account.world["slippage"], TICK[info["class"]], limits)
    quantity, reason = cut_order(account, day, symbol, side, wanted, bar, price)
    if quantity > 0:
        book_fill(account, day, symbol, side, quantity, price, moment)
    if quantity < wanted:
        account.reject(day, symbol, side, wanted, quantity, reason)


def book_fill(account, day, symbol, side, quantity, price, moment):
    """Record the fill and move cash and shares; amount and each fee in fen (C22 to C25)."""
    amount = to_fen(quantity * price)
    commission, stamp, transfer = fees_of(account.world, account.world["infos"][symbol], day, side, amount)
    fees = commission + stamp + transfer
    fill = {"day": day, "symbol": symbol, "side": side, "shares": quantity, "price": price, "amount": amount,
            "commission": commission, "stamp": stamp, "transfer": transfer}
    check_fill(account, fill, moment)
    account.fills.append(fill)
    account.traded[symbol] = account.traded.get(symbol, 0) + quantity
    before = account.shares.get(symbol, 0)
    if side == "buy":
        account.bought[symbol] = account.bought.get(symbol, 0) + quantity
        entry = account.entries.setdefault(symbol, {"cost": Fraction(0), "high": Fraction(price)})
        entry["cost"] += Fraction(amount)
        account.move(day, symbol, -(amount + fees), before + quantity)
    else:
        account.entries[symbol]["cost"] *= Fraction(before - quantity, before)
        account.move(day, symbol, amount - fees, before - quantity)


def refuse_targets(account, day, plan, orders):
    """Record the refusals of a decision in the order of the targets and take their orders out (A)."""
    for symbol, weight, _ in plan["targets"]:
        reason = refusal_of(account, day, symbol, orders)
        if reason is None:
            continue
        if weight > 0 or not ZERO_WEIGHT_SILENT:
            account.reject(day, symbol, "buy", 0, 0, reason)
        account.counts["buyGone"] += orders.get(symbol, ("", 0))[0] in ("buy", "sell")
        orders.pop(symbol, None)


def quantity_to_sell(account, symbol, quantity):
    """A whole sell sells whatever is held at the fill, a partial one at most that, 0 = nothing is held any more (A)."""
    held = account.shares.get(symbol, 0)
    account.counts["sellGone"] += held == 0
    account.counts["sellCut"] += quantity is not WHOLE and 0 < held < quantity
    return held if quantity is WHOLE else min(quantity, held)


def run_batch(account, day, batch, moment):
    """Refusals, then all sells (symbol order), then all buys (target order), at one fill moment (C20, A)."""
    plan, orders = batch["plan"], batch["orders"]
    at_fill = size_orders(account, day, plan, moment)
    used, other = (at_fill, orders) if account.world["sizeAt"] == "fill" else (orders, at_fill)
    orders = dict(used)
    refuse_targets(account, day, plan, orders)
    count_orders(account, plan, orders, other)
    for symbol in sorted(orders):
        side, quantity = orders[symbol]
        if side == "sell":
            quantity = quantity_to_sell(account, symbol, quantity)
            if quantity > 0:
                execute(account, day, symbol, "sell", quantity, moment)
    for symbol, _, _ in plan["targets"]:
        side, quantity = orders.get(symbol, ("", 0))
        if side == "buy":
            execute(account, day, symbol, "buy", quantity, moment)


def count_orders(account, plan, orders, other):
    """How often the moment of sizing and the band mattered to orders that aren't refused."""
    named = {symbol for symbol, _, _ in plan["targets"]}
    for symbol, (side, quantity) in orders.items():
        account.counts["bandHeld"] += side == "band"
        if side in ("buy", "sell") and quantity is not WHOLE:
            account.counts["orders"] += 1
            account.counts["sizesDiffer"] += orders[symbol] != other.get(symbol)
        small = account.world["band"] * lot_step(account.world["infos"][symbol]["class"])
        account.counts["unnamedSmall"] += symbol not in named and account.shares.get(symbol, 0) < small


# ---------------------------------------------------------------- checks inside

def check_fill(account, fill, moment):
    """No fill without a bar, at a refused limit, above the cap, of an illegal quantity, or of today's buys under T+1."""
    symbol, side, day, quantity = fill["symbol"], fill["side"], fill["day"], fill["shares"]
    info, bar = account.world["infos"][symbol], account.bar(symbol, day)
    assert bar is not None and bar["vol"] != 0, "fill without a bar or volume"
    limits = day_limits(info, day, account.world["days"], bar["pre_close"])
    if limits is not None:
        assert side == "sell" or bar[moment] < limits[0], "buy at limit-up"
        assert side == "buy" or bar[moment] > limits[1], "sell at limit-down"
        assert side == "sell" or fill["price"] <= limits[0], "bought above limit-up"
        assert side == "buy" or fill["price"] >= limits[1], "sold below limit-down"
    against = fill["price"] - bar[moment] if side == "buy" else bar[moment] - fill["price"]
    assert against >= 0 or CLAMP_BOTH_ENDS, "filled better than the raw price"
    if account.world["cap"] is not None:
        unit = 10 if info["class"] == "bond" else 100
        so_far = sum(f["shares"] for f in account.fills if f["day"] == day and f["symbol"] == symbol)
        assert bar["vol"] is not None, "fill under a cap without volume"
        assert so_far + quantity <= account.world["cap"] * bar["vol"] * unit, "above the volume cap"
    whole = side == "sell" and quantity == account.shares[symbol]
    legal = quantity >= lot_minimum(info["class"]) and quantity % lot_step(info["class"]) == 0
    assert whole or legal, "illegal quantity"
    assert side == "buy" or quantity <= sellable_shares(account, symbol), "sold today's buys"


def check_day(account, day, equity):
    """Cash identity: replay all records from the start; cash, shares and marks must be those of the account."""
    cash, shares = account.world["start"], {}
    events = [("fill", e) for e in account.fills] + [("ex", e) for e in account.ex_rights]
    events += [("paid", e) for e in account.redemptions]
    order = {"paid": 0, "ex": 1, "fill": 2}
    for kind, e in sorted(events, key=lambda pair: (pair[1]["day"], order[pair[0]])):
        symbol = e["symbol"]
        if kind == "paid":
            assert shares.pop(symbol) == e["shares"], "paid another number of shares"
            cash += e["cash"]
        elif kind == "ex":
            assert shares[symbol] == e["sharesBefore"], "ex-rights of another number of shares"
            shares[symbol] = e["sharesAfter"]
            cash += e["cash"]
        else:
            sign = 1 if e["side"] == "buy" else -1
            shares[symbol] = shares.get(symbol, 0) + sign * e["shares"]
            cash -= sign * e["amount"] + e["commission"] + e["stamp"] + e["transfer"]
        assert cash >= 0, "cash below 0"
        if shares.get(symbol) == 0:
            del shares[symbol]
    assert cash == account.cash, "cash identity"
    assert shares == account.shares, "share identity"
    marks = sum((to_fen(n * account.last_close[s]) for s, n in shares.items()), ZERO)
    assert cash + marks == equity, "equity identity"
    for kind, e in events:
        for key in ("cash", "amount", "commission", "stamp", "transfer"):
            assert key not in e or e[key] == to_fen(e[key]), "money not in fen"


def check_entries(account, day):
    """Entry prices and highs again from the records alone (I): from the fill that opened what is held, day by day."""
    assert set(account.entries) == set(account.shares), "entries of what is not held"
    days, mode = account.world["days"], account.world["exRights"]
    for symbol, entry in account.entries.items():
        fills = [f for f in account.fills if f["symbol"] == symbol]
        ex_rights = {e["day"]: e for e in account.ex_rights if e["symbol"] == symbol}
        opened = account.open_trips[symbol]["opened"]
        high, cost, shares, last = Fraction(0), Fraction(0), 0, None
        for d in [d for d in days if opened <= d <= day]:
            bar = account.bar(symbol, d)
            if d in ex_rights and d > opened:
                assert mode != "none", "ex-rights without a mode"
                cost, shares = cost - Fraction(ex_rights[d]["cash"]), ex_rights[d]["sharesAfter"]
                high = high * Fraction(bar["pre_close"]) / Fraction(last)
            for f in [f for f in fills if f["day"] == d and (d > opened or f["side"] == "buy")]:
                high = high if shares else Fraction(f["price"])
                sold = f["side"] == "sell"
                cost = cost * (shares - f["shares"]) / shares if sold else cost + Fraction(f["amount"])
                shares += -f["shares"] if sold else f["shares"]
            if bar is not None:
                is_counted = d > opened or account.world["fill"] == "nextOpen"
                high, last = max(high, Fraction(bar["high"])) if is_counted else high, bar["close"]
        assert (high, cost, shares) == (entry["high"], entry["cost"], account.shares[symbol]), "entry identity"


# ---------------------------------------------------------------- a day and a run

def mark_day(account, day):
    """Positions at the raw close, suspended at the last close, each rounded to fen as a whole (C28)."""
    positions = []
    equity = account.cash
    for symbol in sorted(account.shares):
        value = to_fen(account.shares[symbol] * account.last_close[symbol])
        equity += value
        positions.append({"symbol": symbol, "shares": account.shares[symbol],
                          "sellable": sellable_shares(account, symbol), "value": value,
                          "stale": account.bar(symbol, day) is None})
    account.days.append({"day": day, "cash": account.cash, "equity": equity, "positions": positions})
    check_day(account, day, equity)


def see(account, day):
    """What a decision at this close sees (G, H, I), for the answer."""
    positions = []
    for symbol in sorted(account.shares):
        entry = account.entries[symbol]
        positions.append({"symbol": symbol, "value": account.value_of(symbol),
                          "entryPrice": nine_decimals(entry["cost"] / account.shares[symbol]),
                          "highSinceEntry": nine_decimals(entry["high"])})
    since = {symbol: account.days_since_exit(symbol) for symbol in sorted(account.left)}
    return {"day": day, "cash": to_fen(account.cash), "equity": to_fen(account.equity()), "positions": positions,
            "daysSinceExit": since}


def nine_decimals(value):
    """A fraction half up to 9 decimals."""
    return Decimal(math.floor(value * 10**9 + Fraction(1, 2))).scaleb(-9)


def decide(account, day):
    """The batch that today's close decides, None = none: its plan and its orders as sized now (A, C2)."""
    seen = see(account, day)
    plan = plan_of_day(account, day)
    state = account.state
    seen["state"] = {"peak": state["peak"], "until": state["until"]} if state else {}
    account.seen.append(seen)
    if plan is None:
        return None
    assert sizing_value(account, day, "close") == account.equity(), "sized by another value than equity"
    return {"plan": plan, "orders": size_orders(account, day, plan, "close")}


def learn_close(account, day):
    """The close becomes known, and with it the high of the bar for what is held since its open or longer (C1, I)."""
    for symbol in account.world["infos"]:
        bar = account.bar(symbol, day)
        if bar is not None:
            account.last_close[symbol] = bar["close"]
            if symbol in account.shares:
                entry = account.entries[symbol]
                entry["high"] = max(entry["high"], Fraction(bar["high"]))


def run_day(account, day, pending):
    """One day in the order of C1; returns the batch that waits for the next exchange day (C2, C3)."""
    fill = account.world["fill"]
    account.bought, account.traded = {}, {}
    pay_ended(account, day)
    adjust_ex_rights(account, day)
    if pending is not None and fill == "nextOpen":
        run_batch(account, day, pending, "open")
    learn_close(account, day)
    if pending is not None and fill == "nextClose":
        run_batch(account, day, pending, "close")
    batch = decide(account, day)
    if batch is not None and fill == "sameClose":
        run_batch(account, day, batch, "close")
        batch = None
    mark_day(account, day)
    check_entries(account, day)
    return batch


def text_of(thing):
    """JSON text form: money with 2 decimals, prices with the decimals of the tick (they are on the tick already)."""
    if isinstance(thing, Decimal):
        return format(thing, "f")
    if isinstance(thing, dict):
        return {key: text_of(value) for key, value in thing.items()}
    if isinstance(thing, list):
        return [text_of(value) for value in thing]
    return thing


def plain_answer(account):
    """The answer of world.md; money and prices get fixed decimals."""
    for fill in account.fills:
        tick = TICK[account.world["infos"][fill["symbol"]]["class"]]
        fill["price"] = fill["price"].quantize(tick)
        for key in ("amount", "commission", "stamp", "transfer"):
            fill[key] = to_fen(fill[key])
    for day in account.days:
        day["cash"], day["equity"] = to_fen(day["cash"]), to_fen(day["equity"])
    for trip in account.trips:
        trip["pnl"] = to_fen(trip["pnl"])
    answer = {"days": account.days, "fills": account.fills, "rejected": account.rejected,
              "exRights": account.ex_rights, "trips": account.trips}
    if account.world["hasProgram"]:
        answer["seen"], answer["counts"] = account.seen, dict(account.counts)
    return text_of(answer)


def run_world(raw):
    """The answer for one world, or {"error"} if the world or an inner check is wrong."""
    try:
        world = read_world(raw)
        account = Account(world)
        pending = None
        for account.at, day in enumerate(world["days"]):
            pending = run_day(account, day, pending)
        return plain_answer(account)
    except AssertionError as error:
        return {"error": str(error) or "assertion"}


def main():
    """One world a line in, one answer a line out."""
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(run_world(json.loads(line)), separators=(",", ":")))


if __name__ == "__main__":
    main()
