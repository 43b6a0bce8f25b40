"""Quotebook for Python: every dataset of a running `quotebook serve` as a pandas DataFrame.

    import quotebook as qb
    bonds = qb.convertible_daily(startdate="20260701", enddate="20260729")
    bonds.attrs["quotebook"]["units"]["amount"]         # 'yuan'
    qb.sql("select tradedate, count(*) as bonds from convertible_daily group by 1")

The service is that of QUOTEBOOK_URL (http://127.0.0.1:8000 when it is not set), the key that of QUOTEBOOK_APIKEY, which goes to no
other address: redirects are refused. QUOTEBOOK_TIMEOUT: seconds that the service may be silent (300). Needs pandas alone.

Each function takes the params of its dataset as the vendor spells them, and beside them, all optional:
    fields   columns wanted, a list or one text with commas
    days     a list of days, or (first, last): of any dataset with days, instead of its own date params
    partial  True takes rows that are not proven to be all; without it they are an Incomplete error
    dates    "text" (YYYYMMDD) or "datetime"
Values may be of Python, numpy or pandas: dates, Timestamps, Series, arrays. No answer or a damaged one is a NoAnswer error. A name
that Python keeps for itself has a _ at its end.

Codes, minutes and ids are text, whole numbers Int64 and flags boolean with <NA> where missing, numbers float64 with NaN, texts
None. Rows stand in the contract's order. `frame.attrs["quotebook"]` has dataset, source, state, complete, note, about and units.

Rows come as Arrow's stream, which is read here with numpy: https://arrow.apache.org/docs/format/Columnar.html
"""
import datetime
import difflib
import gzip
import http.client
import ipaddress
import json
import os
import struct
import urllib.error
import urllib.parse
import urllib.request
import zlib

import numpy as np
import pandas as pd


class QuotebookError(Exception):
    """What the service answers instead of rows; `status` is that of HTTP, None when it did not answer."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


class Incomplete(QuotebookError):
    """The rows are not proven to be all; `partial=True` takes what there is."""


class NoAnswer(QuotebookError):
    """No answer came, or a damaged one; the same question may be answered later."""


def _address():
    return os.environ.get("QUOTEBOOK_URL", "http://127.0.0.1:8000").rstrip("/")


class _Table:
    """A table of a flatbuffer, in which Arrow says where columns lie."""

    def __init__(self, data, at=None):
        self.data = data
        self.at = self._int(0) if at is None else at

    def _int(self, at, form="<i"):
        return struct.unpack_from(form, self.data, at)[0]

    def _place(self, field):
        names = self.at - self._int(self.at)
        there = 4 + 2 * field < self._int(names, "<H")
        offset = self._int(names + 4 + 2 * field, "<H") if there else 0
        return self.at + offset if offset else None

    def number(self, field, form="<q"):
        at = self._place(field)
        return 0 if at is None else self._int(at, form)

    def table(self, field):
        at = self._place(field)
        return None if at is None else _Table(self.data, at + self._int(at))

    def _vector(self, field):
        at = self._place(field)
        if at is None:
            return 0, 0
        at += self._int(at)
        return at + 4, self._int(at)

    def text(self, field):
        at, length = self._vector(field)
        return bytes(self.data[at : at + length]).decode()

    def tables(self, field):
        at, count = self._vector(field)
        return [_Table(self.data, one + self._int(one)) for one in range(at, at + 4 * count, 4)]

    def pairs(self, field):
        at, count = self._vector(field)
        return list(struct.iter_unpack("<qq", self.data[at : at + 16 * count]))


def _labels(table, field):
    """The words beside a schema or a field of it."""
    return {one.text(0): one.text(1) for one in table.tables(field)}


_FLAG, _TEXT, _LIST = 6, 5, 12
_NUMBERS = {2: "<i4", 3: "<f8"}


class _Batch:
    """Columns of a batch, read one after the other: their cells, and where those are there (None: everywhere)."""

    def __init__(self, batch, body, words):
        self.nodes, self.buffers = iter(batch.pairs(1)), iter(batch.pairs(2))
        self.body, self.words = body, words

    def _buffer(self, dtype, count):
        at, length = next(self.buffers)
        return np.frombuffer(self.body, dtype, count if length else 0, at)

    def _bits(self, count):
        return np.unpackbits(self._buffer("u1", (count + 7) // 8), bitorder="little")[:count].astype(bool)

    def column(self, kind, code=None):
        count, missing = next(self.nodes)
        bits = self._bits(count)
        valid = bits if missing else None
        if code is not None:
            codes = self._buffer("<i4", count)
            return self.words[code][codes if valid is None else np.where(valid, codes, -1)], None
        if kind == _FLAG:
            return self._bits(count), valid
        if kind in _NUMBERS:
            return self._buffer(_NUMBERS[kind], count), valid
        if kind not in (_TEXT, _LIST):
            raise QuotebookError(_say("the service sends a type of Arrow ({kind}) that this file does not know; fetch it anew", kind=kind))
        ends = self._buffer("<i4", count + 1).tolist()
        if kind == _LIST:
            items = self.column(_TEXT)[0].tolist()
            made = [items[first:end] for first, end in zip(ends, ends[1:])]
        else:
            at, length = next(self.buffers)
            text = bytes(self.body[at : at + length])
            made = [text[first:end].decode() for first, end in zip(ends, ends[1:])]
        cells = np.empty(count, dtype=object)
        for row, cell in enumerate(made):
            cells[row] = cell
        if valid is not None:
            cells[~valid] = None
        return cells, None


def _columns(stream):
    """The columns of Arrow's stream by name, and what its schema says of each: kind and unit."""
    data, at, fields, words, parts = memoryview(stream), 0, [], {}, []
    while True:
        size = struct.unpack_from("<i", data, at + 4)[0]
        if size == 0:
            break
        if size < 0:
            raise ValueError(f"a message of {size} bytes")
        at += 8 + size
        message = _Table(data[at - size : at])
        what, head = message.number(1, "<B"), message.table(2)
        body = data[at : at + message.number(3)]
        at += len(body)
        if what == 1:
            fields = [(one.text(0), one.number(2, "<B"), one.table(4)) for one in head.tables(1)]
            about = {one.text(0): _labels(one, 6) for one in head.tables(1)}
        elif what == 2:
            # The last one is that of code -1, which stands for a missing text.
            read = _Batch(head.table(1), body, words).column(_TEXT)[0].tolist()
            known = words[head.number(0)].tolist()[:-1] if head.number(2, "<B") else []
            words[head.number(0)] = np.array([*known, *read, None], dtype=object)
        elif what == 3:
            batch = _Batch(head, body, words)
            parts.append([batch.column(kind, None if coded is None else coded.number(0)) for _, kind, coded in fields])
    return {name: _joined([part[at] for part in parts]) for at, (name, *_) in enumerate(fields)}, about


def _joined(parts):
    if len(parts) == 1:
        return parts[0]
    cells = np.concatenate([cells for cells, _ in parts])
    return cells, np.concatenate([np.ones(len(cells), bool) if valid is None else valid for cells, valid in parts])


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, request, answer, code, message, headers, address):
        return None


def _is_chinese():
    return os.environ.get("QUOTEBOOK_LANG", "").lower().startswith("zh")


def _say(text, **values):
    """A message in the language of QUOTEBOOK_LANG."""
    return (_CHINESE.get(text, text) if _is_chinese() else text).format(**values)


def _is_local(host):
    try:
        return host == "localhost" or host.endswith(".localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _refusal(url, error):
    """What an answer that is none of rows says."""
    if 300 <= error.code < 400:
        to = error.headers.get("Location")
        return _say("{url} redirects to {to}; redirects are not followed, set QUOTEBOOK_URL to the address itself", url=url, to=to)
    try:
        return json.loads(error.read())["message"]
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        return _say("{url} answers with HTTP status {status}; is it the address of quotebook serve?", url=url, status=error.code)


def _received(url, request, handlers):
    """An answer to its end: its body and its headers."""
    silence = float(os.environ.get("QUOTEBOOK_TIMEOUT") or 300)
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=silence) as answer:
            body = answer.read()
            return gzip.decompress(body) if answer.headers.get("Content-Encoding") == "gzip" else body, answer.headers
    except urllib.error.HTTPError as error:
        known = {409: Incomplete, 502: NoAnswer, 504: NoAnswer}.get(error.code, QuotebookError)
        raise known(_refusal(url, error), error.code) from None
    except (OSError, http.client.HTTPException, EOFError, zlib.error) as error:
        reason = getattr(error, "reason", None) or str(error) or type(error).__name__
        raise NoAnswer(_say("{url} does not answer ({reason}); is quotebook serve running?", url=_address(), reason=reason)) from None


def _ask(name, words):
    """The columns of an answer, what is known of each, and its headers."""
    headers = {"Content-Type": "application/json", "Accept": "application/vnd.apache.arrow.stream"}
    headers["Accept-Language"] = "zh-CN" if _is_chinese() else "en"
    url = f"{_address()}/query/{name}"
    local = _is_local(urllib.parse.urlsplit(url).hostname or "")
    if not local:
        headers["Accept-Encoding"] = "gzip"
    request = urllib.request.Request(url, json.dumps(words).encode(), headers)
    key = os.environ.get("QUOTEBOOK_APIKEY")
    if key:
        request.add_unredirected_header("Authorization", "Bearer " + key)
    body, said = _received(url, request, [_NoRedirects, *([urllib.request.ProxyHandler({})] if local else [])])
    try:
        columns, about = _columns(body)
        lengths = {len(cells) for cells, _ in columns.values()} or {0}
    except (struct.error, ValueError, LookupError, TypeError, AttributeError, NameError, StopIteration) as error:
        raise NoAnswer(_say("{url} sends no rows, or damaged ones ({error}); is it the address of quotebook serve?", url=url, error=error)) from None
    if lengths != {int(said.get("quotebook-rows") or -1)}:
        raise NoAnswer(_say("{url} sends {rows} rows of {all}; ask again", url=url, rows=max(lengths), all=said.get("quotebook-rows")))
    return columns, about, said


def _is_whole(numbers):
    return len(numbers) > 0 and bool(((numbers == np.floor(numbers)) & (abs(numbers) < 2**53)).all())


def _series(cells, valid, kind, dates):
    if cells.dtype == object:
        if kind == "date" and dates == "datetime":
            return pd.to_datetime(pd.Series(cells, dtype=object), format="%Y%m%d")
        if kind == "json":
            return pd.Series([None if cell is None else json.loads(cell) for cell in cells], dtype=object)
        return pd.Series(cells, dtype=object)
    missing = np.zeros(len(cells), bool) if valid is None else ~valid
    if cells.dtype == bool:
        return pd.Series(pd.arrays.BooleanArray(cells, missing))
    if cells.dtype == "int32" or kind == "long" or (kind == "extra" and _is_whole(cells[~missing])):
        return pd.Series(pd.arrays.IntegerArray(np.where(missing, 0, cells).astype("int64"), missing))
    return pd.Series(cells if valid is None else np.where(missing, np.nan, cells))


def _frame(name, words, dates="text"):
    if dates not in ("text", "datetime"):
        raise ValueError(_say("dates is 'text' or 'datetime', not {dates!r}", dates=dates))
    columns, about, headers = _ask(name, words)
    said = {key: urllib.parse.unquote(headers.get(f"quotebook-{key}", "")) for key in ("note", "about")}
    archive = json.loads(urllib.parse.unquote(headers.get("quotebook-archive", "{}")))
    frame = pd.DataFrame(
        {column: _series(*cells, about[column].get("kind", "extra"), dates) for column, cells in columns.items()}
    )
    frame.attrs["quotebook"] = {
        "dataset": name,
        "source": archive.get("name"),
        "state": archive.get("state"),
        "complete": {"true": True, "false": False}.get(headers.get("quotebook-complete")),
        "note": said["note"] or None,
        "about": said["about"] or None,
        "units": {column: one["unit"] for column, one in about.items() if "unit" in one},
    }
    return frame


def _plain(value):
    """A value of Python, numpy or pandas as JSON has it: a date is YYYYMMDD, a moment ISO 8601."""
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if isinstance(value, datetime.date):
        moment = pd.Timestamp(value)
        if moment is pd.NaT:
            raise ValueError(_say("a date is missing (NaT)"))
        return moment.strftime("%Y%m%d") if moment == moment.normalize() and moment.tz is None else moment.isoformat()
    return value.item() if isinstance(value, np.generic) else value


def _listed(value):
    """A value, or a list of codes or days, of a Series or an array too, as JSON has it."""
    one = _plain(value)
    if one is None or isinstance(one, (str, int, float, bool)):
        return one
    return [str(_plain(each)) for each in one]


def _hint(name, names):
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return _say("did you mean {name!r}?", name=near[0])
    return _say("there are {names}", names=", ".join(sorted(names)))


def _query(name, params, *, fields=None, days=None, partial=False, dates="text", **unknown):
    for word in unknown:
        hint = _hint(word, [*params, "fields", "days", "partial", "dates"])
        raise TypeError(_say("{name} has no param {word!r}; {hint}", name=name, word=word, hint=hint))
    words = {key: _listed(value) for key, value in params.items() if value is not None}
    if fields is not None:
        words["fields"] = _listed(fields)
    if isinstance(days, tuple):
        words["from"], words["to"] = (str(_plain(day)) for day in days)
    elif days is not None:
        words["days"] = _listed(days)
    if partial:
        words["partial"] = True
    return _frame(name, words, dates)


def __getattr__(name):
    made = [one for one, value in globals().items() if callable(value) and one[0] != "_" and one.islower()]
    raise AttributeError(_say("quotebook has no dataset {name!r}; {hint}", name=name, hint=_hint(name, made)))


def sql(text, params=None):
    """What a query in DuckDB's dialect over the service's archive gives; values of $1, $2, … in `params`. Order rows yourself."""
    return _frame("sql", {"sql": text, **({} if params is None else {"params": [_plain(one) for one in params]})})


def status():
    """What the archive has: a row a dataset, with first and last day, days that are missing and why, rows."""
    return _frame("status", {})


_CHINESE = {
    "the service sends a type of Arrow ({kind}) that this file does not know; fetch it anew": "服务发来本文件不认识的 Arrow 类型（{kind}）；请重新获取本文件",
    "{url} redirects to {to}; redirects are not followed, set QUOTEBOOK_URL to the address itself": "{url} 重定向到 {to}；不跟随重定向，请将 QUOTEBOOK_URL 设为目标地址",
    "{url} answers with HTTP status {status}; is it the address of quotebook serve?": "{url} 应答 HTTP 状态 {status}；这是 quotebook serve 的地址吗？",
    "{url} does not answer ({reason}); is quotebook serve running?": "{url} 没有应答（{reason}）；quotebook serve 在运行吗？",
    "{url} sends no rows, or damaged ones ({error}); is it the address of quotebook serve?": "{url} 没有发来数据，或数据已损坏（{error}）；这是 quotebook serve 的地址吗？",
    "{url} sends {rows} rows of {all}; ask again": "{url} 应发 {all} 行，只发来 {rows} 行；请再次查询",
    "dates is 'text' or 'datetime', not {dates!r}": "dates 须为 'text' 或 'datetime'，不能是 {dates!r}",
    "a date is missing (NaT)": "日期缺失（NaT）",
    "did you mean {name!r}?": "是否指 {name!r}？",
    "there are {names}": "可用的有 {names}",
    "{name} has no param {word!r}; {hint}": "{name} 没有参数 {word!r}；{hint}",
    "quotebook has no dataset {name!r}; {hint}": "quotebook 没有数据集 {name!r}；{hint}",
}


# Made from the catalogue of datasets: do not edit below.
__version__ = "0.1.0"


def news(*, limit=None, view=None, sources=None, keyword=None, **more):
    """Aggregated news. Mainstream financial news, collected every 20 minutes and published about 5 minutes later.

    limit: Most records of the list, or of each source group.
    view: `time`: one list, newest first. `source`: a group for each source, newest first inside. One of time, source.
    sources: Sources wanted; all when absent. One of cls_depth_1000, cls_depth_1003, cls_hot_article, yicai_home.
    keyword: Text in title or summary.
    Columns: published_at, display_at, time_label, source, source_name, title, summary, url, image, rank, source_id,
        item_type, updated_at.
    """
    return _query("news", {"limit": limit, "view": view, "sources": sources, "keyword": keyword}, **more)


def theme_lib_detail_kp(*, theme_id, **more):
    """Theme detail. Everything about one theme (concept sector): one nested record, refreshed daily at 00:30. Only the
    latest snapshot exists.

    theme_id: Id from the theme library list. Required.
    Columns: theme_id, name, brief_intro, class_layer, desc, plate_switch, stk_switch, introduction, update_time, table,
        stocks, stock_list, zt, power, subscribe, is_good, is_new, com_num, good_num, is_active, synced_at,
        updated_at, raw_payload.
    """
    return _query("theme_lib_detail_kp", {"theme_id": theme_id}, **more)


def hotstock(*, type, tradedate=None, **more):
    """Hot-search stock lists. Fifteen hot lists of four providers: the latest one, or the list of a past day.

    type: The list; the part before `&` names its provider (ths, xq, tdx, dfcf). Required.
    tradedate: Absent: the latest list (s, n, pc). Present: the list of that day (s, rank, tradedate, type).
    Columns: s, n, pc, rank, tradedate, type.
    """
    return _query("hotstock", {"type": type, "tradedate": tradedate}, **more)


def st(*, type=None, symbols=None, startdate=None, enddate=None, **more):
    """ST marks. Which stocks stood under special treatment (ST or *ST) on a trading day.

    type: Marks wanted; both when absent. One of ST, *ST.
    symbols: Stock codes; absent, the whole market.
    startdate: First day of a range; alone, the range runs to the latest trading day.
    enddate: Last day of a range; alone, that one day is meant.
    Columns: tradedate, symbol, name, type, type_name.
    """
    return _query("st", {"type": type, "symbols": symbols, "startdate": startdate, "enddate": enddate}, **more)


def convertible_minute(*, symbols=None, tradedate=None, trademin=None, period=None, **more):
    """Convertible bond bars, 30 minutes. 30-minute bars of convertible bonds; nine a day, from 0930 (with the opening
    auction) to 1500.

    symbols: Bond codes; absent, all bonds at one minute.
    tradedate: One trading day; the latest one when no date is given.
    trademin: Close of a 30-minute bucket.
    period: Bar period. One of 30m.
    Columns: tradedate, symbol, trademin, time, open, high, low, close, vol, amount, vwap.
    """
    return _query("convertible_minute", {"symbols": symbols, "tradedate": tradedate, "trademin": trademin, "period": period}, **more)


def etf_minute(*, symbols=None, tradedate=None, trademin=None, period=None, **more):
    """ETF bars, 15 or 30 minutes. 15- or 30-minute bars of ETFs; 17 or 9 a day, from 0930 (with the opening auction)
    to 1500.

    symbols: ETF codes; absent, all ETFs at one minute.
    tradedate: One trading day; the latest one when no date is given.
    trademin: Close of a bucket of the chosen period; for 15m they end at quarter hours.
    period: Bar period. One of 15m, 30m.
    Columns: tradedate, symbol, trademin, time, open, high, low, close, vol, amount, vwap.
    """
    return _query("etf_minute", {"symbols": symbols, "tradedate": tradedate, "trademin": trademin, "period": period}, **more)


def theme_daily(*, type, symbols=None, tradedate=None, startdate=None, enddate=None, **more):
    """Statistical index quotes. 48 statistical indices of the market (values, averages, breadth, equal weight), one
    row a day each.

    type: Always `tj`. One of tj. Required.
    symbols: Index codes; absent, all.
    tradedate: One trading day; the latest one when no date is given.
    startdate: First day of a range; alone, the range runs to the latest trading day.
    enddate: Last day of a range; alone, that one day is meant.
    Columns: tradedate, symbol, name, type, open, high, low, close, pre_close, change, pct_chg, vol, amount, servertime.
    """
    return _query("theme_daily", {"type": type, "symbols": symbols, "tradedate": tradedate, "startdate": startdate, "enddate": enddate}, **more)


def convertible_daily(*, symbols=None, tradedate=None, startdate=None, enddate=None, **more):
    """Convertible bond daily quotes. One row a bond and day: prices, volume, pure-bond value, conversion value and
    both premiums.

    symbols: 6 digits, or with exchange suffix.
    tradedate: One trading day; the latest one when no date is given.
    startdate: First day of a range; alone, the range runs to the latest trading day.
    enddate: Last day of a range; alone, that one day is meant.
    Columns: tradedate, symbol, name, code, pre_close, open, high, low, close, change, pct_chg, vol, amount, bond_value,
        bond_over_rate, cb_value, cb_over_rate.
    """
    return _query("convertible_daily", {"symbols": symbols, "tradedate": tradedate, "startdate": startdate, "enddate": enddate}, **more)


def transfer_financing(*, tradedate=None, startdate=None, enddate=None, recentdays=None, **more):
    """Refinancing, financing side. Daily balance and flows of the refinancing of securities lending, market-wide.

    tradedate: One day; the latest fully ingested one when no date is given.
    startdate: First day of a range; alone, the range runs to the latest trading day.
    enddate: Last day of a range; alone, that one day is meant.
    recentdays: The latest N fully ingested trading days.
    Columns: tradedate, opening_balance, auction_amount, reborrow_amount, repayment_amount, closing_balance.
    """
    return _query("transfer_financing", {"tradedate": tradedate, "startdate": startdate, "enddate": enddate, "recentdays": recentdays}, **more)


def thememembers_jx(*, level=None, theme_symbols=None, symbols=None, **more):
    """Curated sector members. The present stock pool of each curated sector. No history: using it for the past is
    look-ahead.

    level: First-level or second-level sectors; absent, first-level. Without effect beside theme_symbols. One of
        parent, child.
    theme_symbols: Sector codes of either level; the level is detected.
    symbols: Stock codes: sectors that hold any of them, each with its full list.
    Columns: theme_symbol, symbols.
    """
    return _query("thememembers_jx", {"level": level, "theme_symbols": theme_symbols, "symbols": symbols}, **more)


def southbound_top10(*, symbols=None, tradedate=None, startdate=None, enddate=None, market_type=None, **more):
    """Southbound top ten. The most active securities of each southbound channel, with turnover, buys and sells of both
    channels.

    symbols: Security codes; absent, all.
    tradedate: One trading day; the latest one when no date is given.
    startdate: First day of a range; alone, the range runs to the latest trading day.
    enddate: Last day of a range; alone, that one day is meant.
    market_type: 2 Shanghai, 4 Shenzhen; both when absent. One of 2, 4.
    Columns: trade_date, code, name, close, p_change, rank, market_type, amount, net_amount, sh_amount, sh_net_amount,
        sh_buy, sh_sell, sz_amount, sz_net_amount, sz_buy, sz_sell.
    """
    return _query("southbound_top10", {"symbols": symbols, "tradedate": tradedate, "startdate": startdate, "enddate": enddate, "market_type":
        market_type}, **more)


def anomaly_forecast(*, symbols=None, tradedate=None, **more):
    """Candidates for abnormal movement. Stocks that reached, or can reach on the day, a threshold of severe abnormal
    price movement. Computed by the service, not a ruling of an exchange.

    symbols: Stock codes; absent, the whole market.
    tradedate: The latest completed day (or no date) also gives the forecast for the next; another day, only itself.
    Columns: tradedate, symbol, name, pct_chg, rule, elapsed_days, deviation_pct, required_pct_chg, trigger_price,
        status.
    """
    return _query("anomaly_forecast", {"symbols": symbols, "tradedate": tradedate}, **more)


def finance_announcement(*, symbols=None, startdate=None, enddate=None, limit=None, offset=None, period=None,
                         date=None, ann_startdate=None, ann_enddate=None, as_of=None, version=None, keyword=None,
                         announcement_type=None, **more):
    """Company announcements. Announcements of listed companies, in all the versions that were disclosed.

    symbols: Stock codes; absent, the whole market.
    startdate: First business date of a range.
    enddate: Last business date of a range.
    limit: Records of this call.
    offset: Records skipped.
    period: Exact report period.
    date: Exact business date: the report period of a report, the event date of an event.
    ann_startdate: First disclosure date.
    ann_enddate: Last disclosure date.
    as_of: Only what was disclosed at that moment: YYYYMMDD or YYYY-MM-DD (to the end of the day), or ISO 8601.
    version: `latest`: newest disclosed version of each record. `all`: every version. One of latest, all.
    keyword: Text in title or summary.
    announcement_type: Types wanted; all when absent. One of financial_report, other, unknown.
    Columns: symbol, event_date, title, summary, announcement_type, content_url.
    """
    return _query("finance_announcement", {"symbols": symbols, "startdate": startdate, "enddate": enddate, "limit": limit, "offset": offset, "period":
        period, "date": date, "ann_startdate": ann_startdate, "ann_enddate": ann_enddate, "as_of": as_of, "version":
        version, "keyword": keyword, "announcement_type": announcement_type}, **more)


def interactive_qa(*, symbols=None, startdate=None, enddate=None, limit=None, offset=None, date=None, qa_id=None,
                   keyword=None, version=None, **more):
    """Investor questions and answers. Public questions of investors and the answers of Shanghai and Shenzhen
    companies, with revisions.

    symbols: Stock codes, with .SH or .SZ; a Beijing code is answered with UNSUPPORTED_MARKET.
    startdate: First answer date; alone, to the latest covered day.
    enddate: Last answer date; alone, from the start of coverage.
    limit: Records of this call.
    offset: Records skipped.
    date: One answer date.
    qa_id: Exact ids; strings only.
    keyword: Text in question or answer.
    version: `latest`: newest answer of each question. `all`: every revision. One of latest, all.
    Columns: symbol, event_date, qa_id, question_time, question, answer_time, answer, revision_no, version_ambiguous.
    """
    return _query("interactive_qa", {"symbols": symbols, "startdate": startdate, "enddate": enddate, "limit": limit, "offset": offset, "date":
        date, "qa_id": qa_id, "keyword": keyword, "version": version}, **more)
