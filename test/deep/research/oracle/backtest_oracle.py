"""Slow reference engine of a backtest account (the oracle of the differential test).

Worlds come in on stdin, one JSON a line; answers go out on stdout, one JSON a line (formats: world.md).
(Cn) in a docstring is convention n of backtest-conventions.md; choices.md lists where a convention left room.
Everything is Decimal or int; divisions are only the exact integer division //, so no result is ever inexact
except by a rounding that is written out; the band compares fractions.
"""
import json
import sys
from decimal import Decimal, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, getcontext
from fractions import Fraction

getcontext().prec = 100
ZERO = Decimal(0)
ONE = Decimal(1)
FEN = Decimal("0.01")

STOCKS = ("main", "chinext", "star", "bse")
ETFS = ("etf", "etf20", "etf0")
CLASSES = STOCKS + ETFS + ("bond",)
SAME_DAY_CLASSES = ("etf0", "bond")                      # T+0 (C28, section 1.4)
TICK = {c: Decimal("0.01") if c in STOCKS else Decimal("0.001") for c in CLASSES}

# Where a convention leaves room and the other reading is likely: one switch each (see choices.md).
BAND_BINDS_EXITS = True       # choice 12: the band also holds back an order that would sell the whole position
CLAMP_BOTH_ENDS = False       # choice 15: clamp a price to both limits, not only in the direction of the slippage
NULL_VOLUME_NEEDS_CAP = True  # choice 19: vol null stops trading only if there is a volumeCap
ROUND_SIZING_MARKS = True     # choice 8: the value for sizing adds positions rounded to fen each
SMALL_TARGET_IS_ZERO = False  # choice 11: a target below the minimum order (STAR 150, Beijing 50) counts as 0
ZERO_WEIGHT_SILENT = True     # choice 5: weight 0 of a name that is not held is no order and no rejection


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


def read_decision(raw, infos):
    """A decision is {ranked, n, exitRank} or {weights}; weights >= 0 with sum <= 1, else an error (C5)."""
    if "weights" in raw:
        weights = {s: Decimal(w) for s, w in raw["weights"].items()}
        for symbol, weight in weights.items():
            assert symbol in infos, "decision names an unknown symbol"
            assert weight >= 0, "weight below 0"
        assert sum(weights.values(), ZERO) <= 1, "weights above 1"
        return {"weights": weights}
    ranked = raw["ranked"]
    assert len(set(ranked)) == len(ranked), "symbol ranked twice"
    for symbol in ranked:
        assert symbol in infos, "decision names an unknown symbol"
    assert raw["n"] >= 1, "n below 1"
    return {"ranked": ranked, "n": raw["n"], "exitRank": max(raw["n"], raw.get("exitRank") or raw["n"])}


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

    def bar(self, symbol, day):
        """The bar, None = suspended or not in its life."""
        return self.world["bars"][symbol].get(day)

    def reject(self, day, symbol, side, wanted, filled, reason):
        """Record an order that did not fill in full."""
        self.rejected.append({"day": day, "symbol": symbol, "side": side, "wanted": int(wanted),
                              "filled": int(filled), "reason": reason})

    def move(self, day, symbol, cash, shares_after):
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
        account.move(day, symbol, cash, after)


# ---------------------------------------------------------------- targets and orders

def make_targets(decision, held):
    """[(symbol, weight, divisor)] in the order of buying, fixed at the decision's close (C2, C6, C7, C8).

    The target is value x weight / divisor: 1/n for a ranked place, the weight itself (divisor 1) otherwise."""
    if "weights" in decision:
        return [(symbol, decision["weights"][symbol], 1) for symbol in sorted(decision["weights"])]
    ranked, n = decision["ranked"], decision["n"]
    chosen = [s for s in ranked[:decision["exitRank"]] if s in held][:n]
    for symbol in ranked:
        if len(chosen) < n and symbol not in held:
            chosen.append(symbol)
    return [(symbol, ONE, n) for symbol in ranked if symbol in chosen]


def fill_price(account, symbol, day, moment):
    """Raw price of the fill moment; suspended: last close; None = never had one (C3, C9)."""
    bar = account.bar(symbol, day)
    return account.last_close.get(symbol) if bar is None else bar[moment]


def sizing_value(account, day, moment):
    """Cash + every position at the raw price of the fill moment, once per batch (C9)."""
    value = account.cash
    for symbol, shares in account.shares.items():
        worth = shares * fill_price(account, symbol, day, moment)
        value += to_fen(worth) if ROUND_SIZING_MARKS else worth
    return value


def held_order(held, target, cls, band, exact=None):
    """(side, quantity) of a held name or None if the change is silent (C10, C17, C19, C34).

    exact is the target in shares before it is floored: the band is of the difference in value at the price of the fill (C34)."""
    whole_sale = target == 0
    exact = Fraction(target) if exact is None else exact
    if abs(exact - held) < band * lot_step(cls) and (BAND_BINDS_EXITS or not whole_sale):
        return None
    if whole_sale:
        return "sell", held
    quantity = legal_part(abs(target - held), cls)
    if quantity == 0:
        return None
    return ("buy" if target > held else "sell"), quantity


def new_name_order(account, day, symbol, target):
    """Quantity to buy of a name not held; 0 after a rejection delisted, not-listed or lot (C10).

    target is None if the symbol never had a price: then the later test `suspended` answers, with want 0."""
    info = account.world["infos"][symbol]
    if info["end_day"] is not None and day >= info["end_day"]:
        account.reject(day, symbol, "buy", 0, 0, "delisted")
        return 0
    if info["listed"] is not None and day < info["listed"]:
        account.reject(day, symbol, "buy", 0, 0, "not-listed")
        return 0
    if target is None:
        account.reject(day, symbol, "buy", 0, 0, "suspended")
        return 0
    quantity = legal_part(target, info["class"])
    if quantity == 0:
        account.reject(day, symbol, "buy", 0, 0, "lot")
    return quantity


def size_orders(account, day, targets, moment):
    """(sells in symbol order, buys in target order) as [(symbol, quantity)]; unnamed held ones go to 0 (C5, C9, C20)."""
    value = sizing_value(account, day, moment)
    sells, buys = [], []
    for symbol in account.shares:
        if symbol not in [t[0] for t in targets]:
            order = held_order(account.shares[symbol], 0, account.world["infos"][symbol]["class"], account.world["band"])
            if order is not None:
                sells.append((symbol, order[1]))
    for symbol, weight, divisor in targets:
        cls = account.world["infos"][symbol]["class"]
        price = fill_price(account, symbol, day, moment)
        step = lot_step(cls)
        target = None if price is None else int(value * weight // (divisor * price * step)) * step
        if SMALL_TARGET_IS_ZERO and target is not None and target < lot_minimum(cls):
            target = 0
        if symbol in account.shares:
            exact = Fraction(value) * Fraction(weight) / (Fraction(divisor) * Fraction(price))
            order = held_order(account.shares[symbol], target, cls, account.world["band"], exact)
            if order is not None:
                (sells if order[0] == "sell" else buys).append((symbol, order[1]))
        elif weight > 0 or not ZERO_WEIGHT_SILENT:
            quantity = new_name_order(account, day, symbol, target)
            if quantity > 0:
                buys.append((symbol, quantity))
    return sorted(sells), buys


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
        account.move(day, symbol, -(amount + fees), before + quantity)
    else:
        account.move(day, symbol, amount - fees, before - quantity)


def run_batch(account, day, targets, moment):
    """All sells (symbol order), then all buys (target order), at one fill moment (C20)."""
    sells, buys = size_orders(account, day, targets, moment)
    for symbol, quantity in sells:
        execute(account, day, symbol, "sell", quantity, moment)
    for symbol, quantity in buys:
        execute(account, day, symbol, "buy", quantity, moment)


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


def run_day(account, day, pending):
    """One day in the order of C1; returns the targets that wait for the next exchange day (C2, C3)."""
    world = account.world
    account.bought, account.traded = {}, {}
    pay_ended(account, day)
    adjust_ex_rights(account, day)
    if pending is not None and world["fill"] == "nextOpen":
        run_batch(account, day, pending, "open")
    for symbol in world["infos"]:
        bar = account.bar(symbol, day)
        if bar is not None:
            account.last_close[symbol] = bar["close"]
    if pending is not None and world["fill"] == "nextClose":
        run_batch(account, day, pending, "close")
    targets = None
    if day in world["decisions"]:
        targets = make_targets(world["decisions"][day], account.shares)
        if world["fill"] == "sameClose":
            run_batch(account, day, targets, "close")
            targets = None
    mark_day(account, day)
    return targets


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
    return text_of({"days": account.days, "fills": account.fills, "rejected": account.rejected,
                    "exRights": account.ex_rights, "trips": account.trips})


def run_world(raw):
    """The answer for one world, or {"error"} if the world or an inner check is wrong."""
    try:
        world = read_world(raw)
        account = Account(world)
        pending = None
        for day in world["days"]:
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
