"""Candidates for abnormal movement, slowly and exactly: every number is a Fraction, every window is walked through.

Written from the definitions alone, so that it shares nothing with src/research/checks/anomaly. stdin: a JSON list of markets
{prices, benchmarks, calendar, st?, options?}; stdout: a JSON list of {rows, events, refused, seen}, numbers as decimal
strings. options: days 'stock' | 'market' (absent: stock), resets 'computed' | 'none' | [{symbol, tradedate, measure}],
unlimited [{symbol, tradedate}], halts [{symbol, tradedate}].
"""

import json
import math
import sys
from datetime import date
from fractions import Fraction

CENT = Fraction(1, 100)

# Abnormal movement within 3 trading days: board, ST, first day, last day, percent.
ABNORMAL = [
    ("SSE main", False, "00000000", "99999999", 20),
    ("SZSE main", False, "00000000", "99999999", 20),
    ("ChiNext", None, "00000000", "20200823", 20),
    ("ChiNext", None, "20200824", "99999999", 30),
    ("STAR", None, "00000000", "99999999", 30),
    ("BSE", None, "00000000", "99999999", 40),
    ("SSE main", True, "00000000", "20230409", 15),
    ("SSE main", True, "20230410", "20260705", 12),
    ("SSE main", True, "20260706", "99999999", 20),
    ("SZSE main", True, "00000000", "20260705", 12),
    ("SZSE main", True, "20260706", "99999999", 20),
]
SEVERE_SINCE = "20230410"
# Severe abnormal movement: window, percent up, percent down.
SEVERE = {
    "SSE main": [(10, 100, -50), (30, 200, -70)],
    "SZSE main": [(10, 100, -50), (30, 200, -70)],
    "ChiNext": [(10, 100, -50), (30, 200, -70)],
    "STAR": [(10, 100, -50), (30, 200, -70)],
    "BSE": [(10, 150, -60), (30, 300, -75)],
}
COUNT_WINDOW = 10
COUNT = {"SSE main": 4, "SZSE main": 4, "ChiNext": 3, "STAR": 3, "BSE": 3}
# Benchmarks, each with the first day on which it is the one.
BENCHMARK = {
    "SSE main": [("000002.SH", "00000000")],
    "SZSE main": [("399107.SZ", "00000000")],
    "ChiNext": [("399102.SZ", "00000000")],
    "STAR": [("000688.SH", "20200723")],
    "BSE": [("BSE-MEAN", "20211115"), ("899050.BJ", "20221121")],
}


def benchmark_of(board, day):
    code = None
    for name, since in BENCHMARK[board]:
        if since <= day:
            code = name
    return code


def board_of(symbol):
    if symbol[:3] in ("600", "601", "603", "605"):
        return "SSE main"
    if symbol[:3] in ("688", "689"):
        return "STAR"
    if symbol[:3] in ("000", "001", "002", "003"):
        return "SZSE main"
    if symbol[:3] in ("300", "301", "302"):
        return "ChiNext"
    if symbol[:2] == "92" or symbol[:1] in ("4", "8"):
        return "BSE"
    return None


def limit_of(board, st, day):
    """Percent by which a close may differ from the reference price."""
    if board == "BSE":
        return 30
    if board == "STAR":
        return 20
    if board == "ChiNext":
        return 20 if day >= "20200824" else 10
    return 5 if st and day < "20260706" else 10


def days_without_limit(board, listed):
    if board == "BSE":
        return 1
    if board == "STAR":
        return 5
    if board == "ChiNext":
        return 5 if listed >= "20200824" else 1
    return 5 if listed >= "20230410" else 1


def rules_of(board, st, day):
    """(measure, window, direction, percent) in force."""
    rules = []
    if benchmark_of(board, day) is None:
        return rules
    for its_board, its_st, first, last, percent in ABNORMAL:
        if its_board == board and its_st in (None, st) and first <= day <= last:
            rules.append(("abnormal", 3, "up", percent))
            rules.append(("abnormal", 3, "down", -percent))
    if day >= SEVERE_SINCE:
        for window, up, down in SEVERE[board]:
            rules.append(("severe", window, "up", up))
            rules.append(("severe", window, "down", down))
    return rules


def as_date(day):
    return date(int(day[:4]), int(day[4:6]), int(day[6:]))


def half_away(value, places):
    scaled = abs(value) * 10**places
    whole = math.floor(scaled + Fraction(1, 2))
    return Fraction(whole if value >= 0 else -whole, 10**places)


def is_half(value, places):
    """Exactly between two numbers of so many places."""
    return (value * 10**places).denominator == 2


def cents_up(value):
    return math.ceil(value / CENT) * CENT


def cents_down(value):
    return math.floor(value / CENT) * CENT


def text(value, places):
    """A rounded number in plain decimals."""
    if value is None:
        return None
    whole = value * 10**places
    assert whole.denominator == 1
    digits = str(abs(whole.numerator)).rjust(places + 1, "0")
    sign = "-" if whole < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def wording(window, direction, percent):
    word = "涨幅" if direction == "up" else "跌幅"
    return f"连续{window}个交易日内日收盘价格{word}偏离值累计达到{percent:+d}%"


def count_wording(number, direction):
    return f"连续{COUNT_WINDOW}个交易日内{number}次出现同向异常波动（{'涨' if direction == 'up' else '跌'}）"


class Stock:
    """The days of one stock: dates, closes (None: suspended), growth over each day and its reference price."""

    def __init__(self, market, symbol, rows):
        self.symbol = symbol
        self.rows = rows
        self.board = board_of(symbol)
        self.market = market
        listed = [row["list_date"] for row in rows if row.get("list_date") is not None]
        self.listed = listed[0] if listed else None

    def name_on(self, day):
        row = [row for row in self.rows if row["tradedate"] == day][0]
        return row.get("name")

    def st_on(self, day):
        name = self.name_on(day)
        return (name is not None and "ST" in name) or (self.symbol, day) in self.market.st

    def st_on_next(self, next_day, last_day):
        """On the forecast's day: the name goes on; the list goes on while it has nothing newer at all."""
        name = self.name_on(last_day)
        if name is not None and "ST" in name:
            return True
        list_has_day = any(day == next_day for _, day in self.market.st)
        return (self.symbol, next_day if list_has_day else last_day) in self.market.st

    def has_limit(self, day):
        return not self.is_free(day)

    def cannot_count(self, day):
        """Listed so shortly before the calendar that the days without limit may reach into it."""
        calendar = self.market.calendar
        apart = (as_date(calendar[0]) - as_date(self.listed)).days
        free = days_without_limit(self.board, self.listed)
        return free > 1 and 0 < apart < 21 and day in calendar[:free]

    def is_free(self, day):
        """Outside the measure: no row on it, and no interval over it."""
        return self.is_new(day) or (self.symbol, day) in self.market.unlimited

    def is_new(self, day):
        calendar = self.market.calendar
        if self.listed is None or self.listed < calendar[0]:
            return False
        number = len([one for one in calendar if self.listed <= one <= day])
        return 1 <= number <= days_without_limit(self.board, self.listed)

    def reference(self, before, row):
        """Price that the limits of a row's day are counted from."""
        if self.market.kind == "pre_close":
            return row["pre_close"]
        if self.market.kind == "adj_factor":
            return before["close"] * before["adj_factor"] / row["adj_factor"]
        return before["close"]

    def refusal(self):
        """The first day that forbids to compute anything, and why."""
        before = None
        seen = set()
        for row in self.rows:
            day = row["tradedate"]
            if self.board is None:
                return day, "board"
            if day not in self.market.calendar:
                return day, "calendar"
            if self.listed is not None and day < self.listed:
                return day, "before listing"
            if self.listed is not None and self.cannot_count(day):
                return day, "listing days"
            if day in seen:
                return day, "twice"
            seen.add(day)
            if (self.symbol, day) in self.market.halts:
                return day, "halted"
            if row["close"] <= 0:
                return day, "price"
            kind = self.market.kind
            if kind == "adj_factor" and (row["adj_factor"] is None or row["adj_factor"] <= 0):
                return day, "factor"
            if kind == "pre_close":
                if row["pre_close"] is None and before is not None:
                    return day, "pre_close"
                if row["pre_close"] is not None and row["pre_close"] <= 0:
                    return day, "pre_close"
            if before is not None and self.has_limit(day):
                reference = self.reference(before, row)
                share = Fraction(limit_of(self.board, self.st_on(day), day), 100)
                highest = half_away(reference * (1 + share), 2) + CENT
                lowest = half_away(reference * (1 - share), 2) - CENT
                if kind == "adjusted":
                    highest = max(highest, reference * (1 + share + Fraction(5, 1000)))
                    lowest = min(lowest, reference * (1 - share - Fraction(5, 1000)))
                if row["close"] > highest or row["close"] < lowest:
                    return day, "limit"
            before = row
        return None

    def lay_out(self):
        """The sequence in which days are counted."""
        by_day = {row["tradedate"]: row for row in self.rows}
        first, last = self.rows[0]["tradedate"], self.rows[-1]["tradedate"]
        if self.market.days == "market":
            self.dates = [day for day in self.market.calendar if first <= day <= last]
        else:
            self.dates = [row["tradedate"] for row in self.rows]
        self.traded = [day in by_day for day in self.dates]
        self.free = [self.is_free(day) for day in self.dates]
        self.level = []
        self.growth_of_day = []
        self.reference_of_day = []
        before = None
        for day in self.dates:
            row = by_day.get(day)
            if row is None:
                growth, reference = Fraction(1), None
            elif before is None:
                growth, reference = Fraction(1), None
            elif self.market.kind == "adj_factor":
                growth = row["close"] * row["adj_factor"] / (before["close"] * before["adj_factor"])
                reference = self.reference(before, row)
            else:
                reference = self.reference(before, row)
                growth = row["close"] / reference
            self.level.append(growth if not self.level else self.level[-1] * growth)
            self.growth_of_day.append(growth)
            self.reference_of_day.append(reference)
            if row is not None:
                before = row
        self.intervals = {}
        self.closes = [by_day[day]["close"] if day in by_day else None for day in self.dates]

    def growth(self, base, end):
        return self.level[end] / self.level[base]


class Market:
    def __init__(self, given):
        options = given.get("options") or {}
        self.days = options.get("days") or "stock"
        self.resets = options.get("resets") or "computed"
        self.halts = {(one["symbol"], one["tradedate"]) for one in options.get("halts") or []}
        self.unlimited = {(one["symbol"], one["tradedate"]) for one in options.get("unlimited") or []}
        self.st = {(one["symbol"], one["tradedate"]) for one in given.get("st") or []}
        self.calendar = given["calendar"]
        self.benchmarks = {(one["code"], one["tradedate"]): Fraction(one["close"]) for one in given["benchmarks"]}
        columns = given["prices"][0].keys()
        self.kind = next((kind for kind in ("pre_close", "adj_factor") if kind in columns), "adjusted")
        self.rows, self.events, self.refused = [], [], []
        self.seen = {}
        by_symbol = {}
        for one in given["prices"]:
            row = dict(one)
            for column in ("close", "pre_close", "adj_factor"):
                if row.get(column) is not None:
                    row[column] = Fraction(row[column])
            if row["close"] is not None:
                by_symbol.setdefault(row["symbol"], []).append(row)
        known = set(self.calendar)
        dated = [row["tradedate"] for rows in by_symbol.values() for row in rows if row["tradedate"] in known]
        self.last = max(dated) if dated else None
        later = [day for day in self.calendar if self.last is not None and day > self.last]
        self.next = later[0] if later else None
        for symbol in sorted(by_symbol):
            rows = sorted(by_symbol[symbol], key=lambda row: row["tradedate"])
            stock = Stock(self, symbol, rows)
            refusal = stock.refusal()
            if refusal is not None:
                self.refused.append({"symbol": symbol, "tradedate": refusal[0], "kind": refusal[1]})
                continue
            stock.lay_out()
            self.compute(stock)

    def index_growth(self, code, base_day, day):
        return self.benchmarks[(code, day)] / self.benchmarks[(code, base_day)]

    def note(self, what):
        self.seen[what] = self.seen.get(what, 0) + 1

    def growths(self, stock, start, end, code):
        """Growth of the stock and of its benchmark from the day before an interval to its end."""
        key = (start, end, code)
        if key not in stock.intervals:
            base = start - 1
            index = self.index_growth(code, stock.dates[base], stock.dates[end])
            stock.intervals[key] = (stock.growth(base, end), index)
        return stock.intervals[key]

    def extreme(self, stock, starts, end, rule, code):
        """The interval with the largest deviation (smallest for falls); of equal ones the shortest."""
        best = None
        for start in starts:
            mine, index = self.growths(stock, start, end, code)
            deviation = mine - index
            if best is not None and deviation == best["deviation"]:
                self.note("equal intervals")
            better = best is None or (
                deviation >= best["deviation"] if rule[2] == "up" else deviation <= best["deviation"]
            )
            if better:
                best = {"start": start, "deviation": deviation, "mine": mine, "index": index}
        return best

    def starts(self, stock, first, last):
        """Days on which an interval may begin: they have a day before them, and no day without limit from there on."""
        return [
            start
            for start in range(max(first, 1), last + 1)
            if not any(stock.free[start : last + 1])
        ]

    def judge(self, stock, rule, day, end, starts, reference, growth_since_reference, board, st, pct_chg):
        """The row of one rule on one day, or None."""
        measure, window, direction, percent = rule
        code = benchmark_of(board, day)
        best = self.extreme(stock, starts, end, rule, code)
        if best is None:
            return None
        threshold = Fraction(percent, 100)
        deviation = best["deviation"]
        triggered = deviation >= threshold if direction == "up" else deviation <= threshold
        if deviation == threshold:
            self.note("exactly reached")
        if is_half(deviation * 100, 4):
            self.note("half up" if deviation > 0 else "half down")
        until_reference = best["mine"] / growth_since_reference
        change = (threshold + best["index"]) / until_reference - 1
        needed = reference * (1 + change)
        if needed == cents_up(needed):
            self.note("trigger price on a cent")
        price = cents_up(needed) if direction == "up" else cents_down(needed)
        limit = limit_of(board, st, day)
        easier = self.easier(stock, starts, end, rule, growth_since_reference, change, code)
        if not triggered and not self.within_limit(stock, direction, reference, price, limit, day):
            if easier is not None:
                other = reference * (1 + easier)
                other = cents_up(other) if direction == "up" else cents_down(other)
                if self.within_limit(stock, direction, reference, other, limit, day):
                    self.note("reachable by another interval alone")
            return None
        if easier is not None:
            self.note("a smaller move would do")
        if not all(stock.traded[best["start"] : end + 1]) or self.calendar.index(
            stock.dates[end]
        ) - self.calendar.index(stock.dates[best["start"] - 1]) > end - best["start"] + 1:
            self.note("suspended within")
        return {
            "tradedate": day,
            "symbol": stock.symbol,
            "name": stock.name_on(stock.dates[end]),
            "measure": measure,
            "rule": wording(window, direction, percent),
            "window_days": window,
            "direction": direction,
            "threshold_pct": percent,
            "elapsed_days": end - best["start"] + 1,
            "since": stock.dates[best["start"]],
            "deviation_pct": text(half_away(deviation * 100, 4), 4),
            "benchmark_pct": text(half_away((best["index"] - 1) * 100, 4), 4),
            "required_pct_chg": text(half_away(change * 100, 4), 4),
            "trigger_price": text(price, 2),
            "status": "triggered" if triggered else "reachable",
            "pct_chg": pct_chg,
            "board": board,
            "st": st,
            "benchmark": code,
            "limit_pct": limit,
            "computed_on": stock.dates[end],
        }

    def within_limit(self, stock, direction, reference, price, limit, day):
        if not stock.has_limit(day) or price <= 0:
            return False
        if direction == "up":
            return price <= half_away(reference * (1 + Fraction(limit, 100)), 2)
        return price >= half_away(reference * (1 - Fraction(limit, 100)), 2)

    def easier(self, stock, starts, end, rule, growth_since_reference, change, code):
        """The smallest move by which some other interval would reach the threshold, if smaller than the extreme one's."""
        _, _, direction, percent = rule
        found = None
        for start in starts:
            mine, index = self.growths(stock, start, end, code)
            other = (Fraction(percent, 100) + index) / (mine / growth_since_reference) - 1
            if (other < change) if direction == "up" else (other > change):
                if found is None or ((other < found) if direction == "up" else (other > found)):
                    found = other
        return found

    def resumption(self, stock, day):
        """First day of the sequence on which the stock traded again after its last halt before a day; 0 without one."""
        halted = [date for symbol, date in self.halts if symbol == stock.symbol and date < day]
        if not halted:
            return 0
        again = [i for i, date in enumerate(stock.dates) if stock.traded[i] and date > max(halted)]
        return again[0] if again else len(stock.dates)

    def given_restart(self, stock, measure, day):
        """First day of the sequence after the last given reset before a day."""
        dates = [
            one["tradedate"]
            for one in self.resets
            if one["symbol"] == stock.symbol and one["measure"] == measure and one["tradedate"] < day
        ]
        if not dates:
            return 0
        after = [i for i, date in enumerate(stock.dates) if date > max(dates)]
        return after[0] if after else len(stock.dates)

    def compute(self, stock):
        restart = {key: 0 for key in RESTARTS}
        abnormal_events = []
        separate = 0
        days = [(i, day) for i, day in enumerate(stock.dates) if stock.traded[i] and i > 0]
        for i, day in days:
            if stock.is_free(day):
                continue
            st = stock.st_on(day)
            if isinstance(self.resets, list):
                restart = {key: self.given_restart(stock, measure_of(key), day) for key in RESTARTS}
            resumed = self.resumption(stock, day)
            if resumed > max(restart.values()) and resumed > 0:
                self.note("everything cut by a halt")
            restart = {key: max(first, resumed) for key, first in restart.items()}
            pct_chg = text(half_away((stock.growth_of_day[i] - 1) * 100, 4), 4)
            rows = []
            for rule in rules_of(stock.board, st, day):
                floor = restart[restart_key(rule[0], rule[1])]
                starts = self.starts(stock, max(i - rule[1] + 1, floor), i)
                if floor > i - rule[1] + 1 and floor > 0:
                    self.note("window cut by a reset")
                row = self.judge(
                    stock,
                    rule,
                    day,
                    i,
                    starts,
                    stock.reference_of_day[i],
                    stock.growth_of_day[i],
                    stock.board,
                    st,
                    pct_chg,
                )
                if row is not None:
                    rows.append(row)
            separate = max(separate, restart["abnormal"])
            growth = stock.growth_of_day[i]
            own = self.separate_rows(stock, day, i, 0, separate, stock.reference_of_day[i], growth, st, pct_chg)
            reached = [row["direction"] for row in own if row["status"] == "triggered"]
            abnormal_events += [(i, direction) for direction in reached]
            if any(row["measure"] == "abnormal" and row["status"] == "triggered" for row in rows) and not reached:
                self.note("triggered by a movement that was counted already")
            first = max(i - COUNT_WINDOW + 1, restart["severe by count"])
            rows += self.counted(stock, own, day, i, first, abnormal_events)
            if reached:
                separate = i + 1
            self.finish(rows, restart, i)
        if self.next is None or stock.dates[-1] != self.last:
            return
        self.forecast(stock, restart, abnormal_events, separate)

    def separate_rows(self, stock, day, end, ahead, first, reference, growth, st, pct_chg):
        """Abnormal rows of intervals that share no day with a movement counted before."""
        found = []
        for rule in rules_of(stock.board, st, day):
            if rule[0] == "abnormal":
                starts = self.starts(stock, max(end - rule[1] + 1 + ahead, first), end)
                found.append(self.judge(stock, rule, day, end, starts, reference, growth, stock.board, st, pct_chg))
        return [row for row in found if row is not None]

    def counted(self, stock, rows, day, end, first, abnormal_events):
        """Rows by the number of abnormal movements in one direction."""
        found = []
        if day < SEVERE_SINCE:
            return found
        for row in [row for row in rows if row["measure"] == "abnormal"]:
            inside = [at for at, direction in abnormal_events if direction == row["direction"] and at >= first]
            today = row["status"] == "triggered" and row["tradedate"] == row["computed_on"]
            number = COUNT[stock.board]
            if today:
                reached = len(inside) >= number
            else:
                reached = row["status"] == "reachable" and len(inside) + 1 >= number
            if reached:
                found.append(
                    {
                        **row,
                        "measure": "severe by count",
                        "rule": count_wording(number, row["direction"]),
                        "window_days": COUNT_WINDOW,
                        "elapsed_days": end - inside[0] + 1,
                        "since": stock.dates[inside[0]],
                    }
                )
        return found

    def finish(self, rows, restart, i):
        self.rows += rows
        for row in rows:
            if row["status"] != "triggered":
                continue
            fields = ("tradedate", "symbol", "measure", "rule", "direction")
            self.events.append({field: row[field] for field in fields})
            if self.resets == "computed":
                restart[restart_key(row["measure"], row["window_days"])] = i + 1

    def forecast(self, stock, restart, abnormal_events, separate):
        end, day = len(stock.dates) - 1, self.next
        if stock.is_free(day):
            return
        if (stock.symbol, day) in self.halts:
            self.note("halted on the next day")
            return
        st = stock.st_on_next(day, self.last)
        if isinstance(self.resets, list):
            restart = {key: self.given_restart(stock, measure_of(key), day) for key in RESTARTS}
        resumed = self.resumption(stock, day)
        restart = {key: max(first, resumed) for key, first in restart.items()}
        rows = []
        for rule in rules_of(stock.board, st, day):
            starts = self.starts(stock, max(end - rule[1] + 2, restart[restart_key(rule[0], rule[1])]), end)
            row = self.judge(
                stock, rule, day, end, starts, stock.closes[end], Fraction(1), stock.board, st, None
            )
            if row is not None:
                rows.append(row)
        first = max(end - COUNT_WINDOW + 2, restart["severe by count"])
        separate = max(separate, restart["abnormal"])
        own = self.separate_rows(stock, day, end, 1, separate, stock.closes[end], Fraction(1), st, None)
        rows += self.counted(stock, own, day, end, first, abnormal_events)
        self.rows += rows


RESTARTS = ("abnormal", "severe 10", "severe 30", "severe by count")


def restart_key(measure, window):
    """Each rule restarts after its own event."""
    return f"severe {window}" if measure == "severe" else measure


def measure_of(key):
    return "abnormal" if key == "abnormal" else "severe"


def main():
    markets = json.load(sys.stdin, parse_float=Fraction, parse_int=Fraction)
    out = []
    for given in markets:
        market = Market(given)
        out.append(
            {"rows": market.rows, "events": market.events, "refused": market.refused, "seen": market.seen}
        )
    json.dump(out, sys.stdout)


main()
