import {
  type Bar,
  backtest,
  type CrossSection,
  rowsOf as cellsOf,
  checkLookahead,
  connect,
  type Data,
  type Float64,
  factorStudy,
  forwardReturns,
  fromRows,
  panel,
  type Strategy,
  type Table,
  toDataFrame,
  tradingDays,
  type Utf8,
} from 'quotebook'
import { expect, test } from 'vitest'
import { bare, barsOf, days, free, marketOf, type PriceName, type PriceRow, rowsOf, thrownBy } from './helper/prices.js'

/** Rows as a panel, columns of other tables beside them, when a strategy decides, and what it can see. */

const [a, b] = ['110001.SH', '600001.SH']
const [d0, d1, d2, d3] = days as [string, string, string, string]
const rows = [...rowsOf(a, [100, 101, 102, 103]), ...rowsOf(b, [10, 10.1, 10.2, 10.3])]
const nan = Number.NaN

test('days, codes and cells stand in order, whatever the order of the rows; missing rows and cells are NaN', () => {
  const some = rows.flatMap((row) =>
    row.code === a && row.tradedate === d1
      ? []
      : [row.code === b && row.tradedate === d2 ? { ...row, close: null } : row],
  )
  const market = marketOf([...some].reverse())
  expect([market.days, market.symbols]).toEqual([
    [d0, d1, d2, d3],
    [a, b],
  ])
  expect([...market.cols.close]).toEqual([100, 10, nan, 10.1, 102, nan, 103, 10.3])
  expect([...market.present]).toEqual([1, 1, 0, 1, 1, 1, 1, 1])
  expect([market.times, market.timeText(2)]).toEqual([4, d2])
})

test('a table, a DataFrame and shuffled rows give one panel; one other cell, class or moment gives another', () => {
  const options = { columns: ['open', 'close', 'vol'] } as const
  const hash = (data: Data, more: object = {}): string => panel(data, { ...options, ...more } as never).hash
  const right = hash(fromRows(rows))
  expect(hash(toDataFrame(fromRows(rows)))).toBe(right)
  expect(hash(fromRows([...rows].reverse()))).toBe(right)
  expect(hash(fromRows(rows.map((row, at) => (at === 5 ? { ...row, vol: 7 } : row))))).not.toBe(right)
  for (const more of [{ classes: { [a]: 'ETF' } }, { listed: { [a]: d0 } }, { knownAt: { vol: 'open' } }])
    expect(hash(fromRows(rows), more)).not.toBe(right)
})

test('days of the calendar without any row are added, and said; before the calendar the data alone tells', () => {
  const market = marketOf(rows.filter(({ tradedate }) => tradedate !== d1))
  expect([market.days, [...market.cols.close.subarray(2, 4)]]).toEqual([
    [d0, d1, d2, d3],
    [nan, nan],
  ])
  const gone = `no row on 1 trading days (${d1} …): nothing trades on them`
  const jump = 'does not follow the last close'
  expect(market.notes.map((note) => note.replace(/(?<=last close).*/, ''))).toEqual([
    gone,
    `${a} ${d2}: pre_close 101 ${jump}`,
    `${b} ${d2}: pre_close 10.1 ${jump}`,
  ])
  const old = rows.map((row) => ({ ...row, tradedate: row.tradedate.replace('2026', '1996') }))
  expect(marketOf(old.filter(({ tradedate }) => tradedate !== '19960702')).notes.slice(0, 1)).toEqual([
    'the calendar does not know the trading days of 1996: those with rows count',
  ])
})

const first = rows[0] as PriceRow
// biome-ignore format: a table, one mistake a line
const wrongRows: [Partial<Record<keyof PriceRow, unknown>>, string][] = [
  [{}, `INVALID_VALUE: panel: two rows of ${a} ${d0}`],
  [{ code: '999999.SH' }, "INVALID_VALUE: panel: the rules of China do not know what 999999.SH is; say it as classes: { '999999.SH': 'ETF' }"],
  [{ tradedate: '20260704' }, "INVALID_VALUE: panel: the exchanges are closed on 20260704, and column 'tradedate' has it"],
  [{ tradedate: '2026-07-01' }, "INVALID_VALUE: panel: '2026-07-01' in column 'tradedate' is no date YYYYMMDD"],
  [{ tradedate: null }, "INVALID_VALUE: panel: column 'tradedate' has a missing cell"],
  [{ code: null }, "INVALID_VALUE: panel: column 'code' has a missing cell"],
]

test.each(wrongRows)('a row that makes no panel is refused with its place: %j', (more, told) => {
  expect(thrownBy(() => marketOf([...rows, { ...first, ...more } as PriceRow]))).toBe(told)
})

// biome-ignore format: a table, one mistake a line
const wrongOptions: [object, string][] = [
  [{ columns: 'close' }, "USAGE: the columns of a panel must be an array of names, such as ['open', 'close'], not 'close'"],
  [{ listed: { [a]: '2026-07-01' } }, `USAGE: panel: the day of ${a} is a date YYYYMMDD, not '2026-07-01'`],
  [{ listed: { [b]: d3 } }, `INVALID_VALUE: panel: ${b} has a row on ${d0}, before it is listed`],
  [{ delistings: [{ symbol: a, day: d2 }] }, `INVALID_VALUE: panel: ${a} has a row on ${d2}, after its end`],
  [{ delistings: [{ symbol: a, day: '20260801', price: 100.12345 }] }, `USAGE: panel: the end of ${a} pays yuan a share or bond, from 0 and in whole thousandths, not 100.12345`],
  [{ knownAt: { close: '9:25' } }, "USAGE: panel: knownAt of 'close' is 'open', 'close' or a time HH:MM:SS, not '9:25'"],
  [{ knownAt: { closse: 'open' } }, "USAGE: panel: knownAt names 'closse', which is not among columns"],
]

test.each(wrongOptions)('options that mean nothing are refused: %j', (options, told) => {
  expect(thrownBy(() => marketOf(rows, options as never))).toBe(told)
  expect(thrownBy(() => marketOf(rows, { columns: ['closse'] } as never))).toMatch(/^MISSING_COLUMN: .*closse/)
})

test('a code is listed before the first day, on its first row, or when the user says; days since count', () => {
  const late = rows.filter(({ code, tradedate }) => code === a || tradedate > d1)
  const seen: number[] = []
  const score = (bar: { symbol: string; listedDays: number }): number => {
    if (bar.symbol === b) seen.push(bar.listedDays)
    return 1
  }
  for (const options of [{}, { listed: { [b]: d1 } }, { listed: { [b]: '20260101' } }])
    backtest(marketOf(late, options), { score, pick: { n: 1, side: 'lowest' } }, bare)
  expect(seen).toEqual([1, 2, 2, 3, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
})

test('adj_factor gives previous closes, half up to the tick of the class', () => {
  // 10.00 becomes 5.00 by two for one; then a dividend of 0.30 on 5.20: factor 2 x 5.20 / 4.90; the day between is suspended.
  const own = [
    { tradedate: d0, code: b, close: 10, adj_factor: 1 },
    { tradedate: d1, code: b, close: 5.2, adj_factor: 2 },
    { tradedate: d3, code: b, close: 5, adj_factor: (2 * 5.2) / 4.9 },
    { tradedate: d0, code: '510300.SH', close: 4.001, adj_factor: 1 },
    { tradedate: d1, code: '510300.SH', close: 4, adj_factor: 1.003 },
  ]
  // 4.001 / 1.003 = 3.98903…
  const made = panel(fromRows(own), { columns: ['close', 'adj_factor'] })
  expect([...made.column('pre_close')]).toEqual([nan, nan, 3.989, 5, nan, nan, nan, 4.9])
})

const flows = (name = 'tradedate') => days.slice(0, 4).map((day, at) => ({ [name]: day, net: at + 1 }))
const joined = (join: object, own: readonly PriceRow[] = rows, more = {}) =>
  marketOf(own, { join: [join as never], ...more })
const atOpen = { exec: { decide: 'open', fill: 'nextClose' } } as const

/** What a strategy reads of the first bond at each time. */
function read(market: unknown, score: (bar: Seen) => number, options: object = {}): number[] {
  const seen: number[] = []
  const keep = (bar: Seen & { symbol: string }): number => {
    const value = score(bar)
    if (bar.symbol === a) seen.push(value)
    return value
  }
  const strategy = { score: keep, pick: { n: 1, side: 'highest' }, when: { at: 'every bar' } }
  backtest(market as never, strategy as never, { ...bare, ...options })
  return seen
}
interface Seen {
  readonly net: number
  lag(name: string, times: number): number
}

test('what is known at 18:00 can not decide at the close of its day; the day before it can', async () => {
  const market = await connect()
  const southbound = await market.table.southboundTop10({ startdate: '20260701', enddate: '20260706' })
  await market.close()
  expect(thrownBy(() => joined({ data: southbound, columns: ['net_amount'], symbol: false }))).toMatch(
    /^INVALID_VALUE: panel: two rows of joined column 'net_amount' on 20260702; sum or choose first$/,
  )
  const late = joined({ data: fromRows(flows()), columns: ['net'], knownAt: '18:00:00' })
  expect(thrownBy(() => read(late, (bar) => bar.net))).toBe(
    `LOOK_AHEAD: 'net' of ${d0} is known at 18:00:00, and the decision is made at 15:00:00: ` +
      "use lag('net', 1), or join it with lagDays: 1",
  )
  const inTime = joined({ data: fromRows(flows()), columns: ['net'], knownAt: '15:00:00' })
  expect(read(inTime, (bar) => bar.net)).toEqual([1, 2, 3, 4])
  const lagged = joined({ data: fromRows(flows()), columns: ['net'], knownAt: '18:00:00', lagDays: 1 })
  for (const exec of [{}, atOpen]) {
    expect(read(late, (bar) => bar.lag('net', 1), exec)).toEqual([nan, 1, 2, 3])
    expect(read(lagged, (bar) => bar.net, exec)).toEqual([nan, 1, 2, 3])
  }
  expect(thrownBy(() => joined({ data: fromRows(flows()), columns: ['net'], lagDays: -1, knownAt: '18:00' }))).toBe(
    'LOOK_AHEAD: panel: lagDays: -1; rows are carried on by 0 days or more, never back',
  )
})

test('joined rows are for all instruments or for their code; days that the panel has not are counted', () => {
  const late = [...flows(), { tradedate: '20260630', net: 9 }]
  const all = joined({ data: fromRows(late), columns: ['net'], knownAt: '15:00' })
  expect([...all.column('net')]).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
  expect(all.notes).toEqual(['1 joined rows are of days that the panel does not have'])
  for (const code of [a, a.slice(0, 6)]) {
    const data = fromRows(flows().map((row) => ({ ...row, code })))
    const own = joined({ data, columns: { flow: 'net' }, knownAt: '15:00' })
    expect([...own.column('flow')]).toEqual([1, nan, 2, nan, 3, nan, 4, nan])
  }
  expect(thrownBy(() => joined({ data: fromRows(flows()), columns: { close: 'net' }, knownAt: '15:00' }))).toBe(
    "INVALID_VALUE: panel: two columns named 'close'",
  )
  expect(thrownBy(() => joined({ data: fromRows(flows()), columns: ['net'] }))).toBe(
    "INVALID_VALUE: panel: say when the rows of a joined table are known, as knownAt: '18:00:00' or the name of a column of moments",
  )
})

test('moments: a row stands from the first bar whose close is not before it to the end of that day', () => {
  const moments = fromRows([
    { known_at: '2026-06-30T15:00:00', net: 1 },
    { known_at: '2026-06-30T20:00:00', net: 2 },
    { known_at: '2026-07-02 10:20:00', net: 3 },
    { known_at: '2026-07-02T15:00:01', net: 4 },
    { known_at: '2026-07-05T12:00:00', net: 5 },
  ])
  const join = { data: moments, columns: ['net'], knownAt: 'known_at' }
  expect(read(joined(join), (bar) => bar.net)).toEqual([2, 3, 4, 5])
  expect(read(joined({ ...join, lagDays: 1 }), (bar) => bar.net, atOpen)).toEqual([nan, 2, 3, 4])
  const bars = barsOf(a, ['1000', '1030', '1500'], Array(4).fill([1, 1, 1]))
  expect(read(joined(join, bars), (bar) => bar.net)).toEqual([2, 2, 2, nan, 3, 3, 4, 4, 4, 5, 5, 5])
  expect(thrownBy(() => joined({ ...join, data: fromRows([{ known_at: 'July', net: 1 }]) }))).toBe(
    "INVALID_VALUE: panel: 'July' in column 'known_at' is no moment YYYY-MM-DDTHH:MM:SS",
  )
})

test('a dataset without history is refused; allowed by name, the result says so', async () => {
  const market = await connect()
  const members = await market.table.thememembersJx({})
  await market.close()
  const ask = (more = {}) => joined({ data: members, columns: ['pct_chg'], time: 'snapshot_date' }, rows, more)
  expect(thrownBy(() => ask())).toMatch(
    /^INVALID_VALUE: panel: thememembers_jx has no history.*withoutHistory: \['thememembers_jx'\]/,
  )
})

const autumn = tradingDays('20260914', '20261016')
/** Days on which a schedule decides, over an autumn with a holiday on Friday 25 September and from 1 to 7 October. */
function decided(when: object, over = autumn): string[] {
  const seen: string[] = []
  const orders = ({ day }: { day: string }) => {
    seen.push(day.slice(4))
    return [{ symbol: a, side: 'buy' as const, shares: 10 }]
  }
  backtest(marketOf(rowsOf(a, Array(over.length).fill(100), () => ({}), over)), { orders, when }, bare)
  return seen
}

// biome-ignore format: a table, one schedule a line
test.each([
  [{ weekly: 1 }, '0914 0921 0928 1008 1012'],
  [{ weekly: 3 }, '0916 0923 0930 1008 1014'],
  [{ weekly: 5 }, '0918 0928 1008 1009 1016'],
  [{ monthly: 2 }, '1009'],
  [{ monthly: 12 }, '0916'],
  [{ every: 4 }, '0914 0918 0924 1008 1014'],
  [{ days: ['20260918', '20260926', '20260914'] }, '0914 0918 0928'],
  [{ monthly: 'last' }, '0930'],
] as [object, string][])('%j decides on %s', (when, told) => {
  expect(decided(when).join(' ')).toBe(told)
})

test('weekly and monthly do not depend on where a panel begins', () => {
  const years = tradingDays('20250101', '20261231')
  for (const when of [{ weekly: 1 }, { weekly: 4 }, { monthly: 3 }]) {
    const all = decided(when, years)
    for (const from of [37, 201, 333])
      expect(decided(when, years.slice(from))).toEqual(all.slice(-decided(when, years.slice(from)).length))
  }
})

// biome-ignore format: a table, one mistake a line
test.each([
  [{ every: 0 }, 'every is a whole number of trading days, from 1'],
  [{ weekly: 6 }, 'weekly is a weekday, 1 Monday to 5 Friday'],
  [{ monthly: 24 }, "monthly is a trading day of the month, from 1 to 23, or 'last'"],
  [{ days: ['2026-09-31'] }, "days are an array of dates, such as ['20260701']"],
  [{ at: '1500' }, "at is an array of closing minutes, such as ['1000'], or 'every bar'"],
  [{ at: ['1000'] }, 'at: no bar closes at 1000; the prices are daily'],
])('the schedule %j is refused', (when, told) => {
  expect(thrownBy(() => backtest(marketOf(rows), { orders: () => [], when: when as never }, free))).toBe(`USAGE: when: ${told}`)
})

/** A price in hundredths that goes up and down without a rule that a strategy could have learned. */
function walk(seed: number, length: number): number[] {
  let [state, price] = [seed, 1000 + (seed % 500)]
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    price = Math.max(200, price + ((state >>> 16) % 41) - 20)
    return price / 100
  })
}

const codes = Array.from({ length: 6 }, (_, at) => `60000${at}.SH`)
const market = marketOf(codes.flatMap((code, at) => rowsOf(code, walk(at * 7919 + 11, days.length))))
const top = { n: 2, side: 'highest' } as const
type One = Strategy<PriceName>

/** A strategy by an array that is computed over the whole panel. */
const byArray = (make: (at: (cell: number) => number, cell: number) => number): One => ({
  prepare: ({ cols: { close }, days: own }) => {
    const values = close.map((_, cell) => make((at) => close[at] ?? nan, cell))
    return { score: (bar) => values[own.indexOf(bar.day) * 6 + bar.index] as number, pick: top }
  },
})
const caught: Readonly<Record<string, One>> = {
  'a centred mean': byArray((at, cell) => (at(cell - 6) + at(cell) + at(cell + 6)) / 3),
  'whether it closes higher tomorrow': byArray((at, cell) => (at(cell + 6) > at(cell) ? 1 : nan)),
  'the winners of the whole time': byArray((at, cell) => at(44 * 6 - 6 + (cell % 6)) / at(cell % 6)),
  'weights by tomorrow': {
    prepare:
      ({ cols: { close } }) =>
      (now, weights) => {
        weights[0] = (close[(now.time + 1) * 6] ?? 0) > (close[now.time * 6] as number) ? 1 : 0
      },
  },
  'who is still there at the end': {
    prepare: ({ present }) => ({
      universe: ({ index }) => present[present.length - 6 + index] === 1,
      score: (bar) => bar.close,
      pick: top,
    }),
  },
}

test.each(Object.keys(caught))('looking ahead is caught: %s', (name) => {
  const short = marketOf(
    codes.flatMap((code, at) =>
      rowsOf(
        code,
        walk(at * 7919 + 11, at === 5 ? 30 : days.length).map((x) => (at === 5 ? Math.round(x * 100 + 9000) / 100 : x)),
      ),
    ),
  )
  const over = name.startsWith('who') ? short : market
  const { ok, firstDifference } = checkLookahead(over, caught[name] as One, free)
  expect([ok, firstDifference?.time]).toEqual([false, expect.stringMatching(/^2026\d{4}$/)])
  const { warnings, lookahead } = backtest(over, caught[name] as One, free)
  expect(lookahead?.ok).toBe(false)
  expect(warnings.filter((line) => line.startsWith('the strategy looks ahead: its decision at 2026'))).toHaveLength(1)
})

const tomorrow = (memo: Float64Array, bar: { day: string; index: number }): number =>
  memo[(days.indexOf(bar.day) + 1) * 6 + bar.index] ?? 0
const today = (memo: Float64Array, bar: { day: string; index: number }): number =>
  memo[days.indexOf(bar.day) * 6 + bar.index] ?? 0

/** A strategy that keeps what it computed of the first panel, in a closure, on itself, or in a table by name; `of` is what it reads of that. */
const keeping: Readonly<Record<string, (of: typeof tomorrow) => One>> = {
  'in a closure': (of) => {
    let memo: Float64Array | undefined
    return {
      prepare: ({ cols: { close } }) => {
        memo ??= close.slice()
        const own = memo
        return { score: (bar) => of(own, bar), pick: top }
      },
    }
  },
  'and reads it when it decides': (of) => {
    let memo: Float64Array | undefined
    const kept = (close: () => Float64Array): Float64Array => {
      memo ??= close()
      return memo
    }
    return {
      prepare: ({ cols }) => ({
        score: (bar) =>
          of(
            kept(() => cols.close.slice()),
            bar,
          ),
        pick: top,
      }),
    }
  },
  'in a table': (of) => {
    const table = new Map<string, Float64Array>()
    return {
      prepare: (own) => {
        if (!table.has('close')) table.set('close', Float64Array.from(own.column('close')))
        return { score: (bar) => of(table.get('close') as Float64Array, bar), pick: top }
      },
    }
  },
}

test.each(Object.keys(keeping))(
  'a strategy that keeps what it computed %s is seen through where it is made anew, and else not said to be clean',
  (name) => {
    const make = keeping[name] as (of: typeof tomorrow) => One
    const why = expect.stringMatching(/^prepare keeps what it computed the first time, and reads no column/)
    for (const of of [tomorrow, today]) {
      const { lookahead, warnings } = backtest(market, make(of), free)
      expect(lookahead).toMatchObject({ ok: false, fault: 'unchecked', why })
      expect(warnings.filter((line) => line.startsWith('the look-ahead check: prepare keeps'))).toHaveLength(1)
    }
    const again = (of: typeof tomorrow) => backtest(market, make(of), { ...free, anew: () => make(of) }).lookahead
    expect(again(today)).toEqual({ ok: true, cuts: 8 })
    expect(again(tomorrow)).toMatchObject({ ok: false, firstDifference: { time: expect.stringMatching(/^2026/) } })
    expect(again(tomorrow)?.fault).toBeUndefined()
  },
)

test('what decides otherwise when it is asked again is no look-ahead, and said so', () => {
  let count = 0
  const others: One[] = [
    { score: () => Math.random(), pick: top },
    { score: () => (++count * 7919) % 101, pick: top },
    { prepare: () => ({ score: () => (++count * 7919) % 103, pick: top }) },
  ]
  for (const one of others) {
    const { lookahead, warnings } = backtest(market, one, free)
    expect(lookahead).toMatchObject({ ok: false, fault: 'nondeterministic' })
    expect(warnings.some((line) => /^the look-ahead check: asked again with the same data/.test(`${line}`))).toBe(true)
    expect(warnings.some((line) => /looks ahead/.test(`${line}`))).toBe(false)
  }
})

test('noise keeps what holds of prices, and of numbers that count; what refuses it all the same is not checked', () => {
  const own = market.withColumns({
    ...market.cols,
    vwap: market.cols.close,
    flag: market.cols.close.map((_, cell) => cell % 2),
    left: market.cols.close.map((_, cell) => 300 - Math.floor(cell / 6)),
  })
  const refuse = (what: string) => {
    throw new Error(what)
  }
  const asserting: Strategy = {
    prepare: ({ cols, days: all }) => {
      const { open, high, low, close, vwap, vol, pre_close: pre, flag, left } = cols as Record<string, Float64Array>
      for (let cell = 0; cell < (close as Float64Array).length; cell++) {
        const at = (x?: Float64Array): number => x?.[cell] as number
        for (const x of [open, close, vwap]) if (at(x) > at(high) || at(x) < at(low)) refuse('bad data')
        for (const x of [low, pre, vol]) if (!(at(x) > 0)) refuse('bad data')
        if (![0, 1].includes(at(flag)) || !Number.isInteger(at(left)) || at(left) > 300) refuse('bad data')
      }
      if (all.some((day, at) => at > 0 && day <= (all[at - 1] as string))) refuse('bad data')
      return { score: (bar) => bar['open'] as number, pick: top }
    },
  }
  for (const exec of [undefined, { decide: 'open', fill: 'nextClose' }] as const)
    expect(
      backtest(own as never, exec ? ({ ...asserting } as never) : (asserting as never), {
        ...free,
        ...(exec && { exec }),
      } as never).lookahead,
    ).toEqual({ ok: true, cuts: 8 })
  const picky: One = {
    prepare: ({ cols: { close } }) => {
      if (close.some((x) => Math.abs(x * 100 - Math.round(x * 100)) > 1e-9)) refuse('no price in fen')
      return { score: (bar) => bar.close, pick: top }
    },
  }
  const { lookahead, equity } = backtest(market, picky, free)
  expect([equity.length, lookahead]).toEqual([days.length, expect.objectContaining({ ok: false, fault: 'unchecked' })])
  expect(`${lookahead?.why}`).toMatch(
    /^prepare fails where what came after 2026\d{4} is noise: strategy: no price in fen \(at .*panel\.test\.ts/,
  )
})

const ways: Readonly<Record<string, One>> = {
  'by column()': {
    prepare: (own) => {
      const close = own.column('close')
      return { score: (bar) => close[(days.indexOf(bar.day) + 1) * 6 + bar.index] ?? 0, pick: top }
    },
  },
  'by another panel': {
    prepare: (own) => {
      const { x } = own.withColumns({ x: own.cols.close }).cols
      return { score: (bar) => x[(days.indexOf(bar.day) + 1) * 6 + bar.index] ?? 0, pick: top }
    },
  },
  'by ST': {
    prepare: ({ marked }) => ({
      score: (bar) => (marked as Uint8Array)[(days.indexOf(bar.day) + 3) * 6 + bar.index] ?? 0,
      pick: top,
    }),
  },
  'by delistings': {
    prepare: ({ instruments }) => ({ score: (bar) => (instruments[bar.index]?.end ? 100 : bar.close), pick: top }),
  },
  'by the hash': {
    prepare: ({ hash }) => ({ score: ({ index }) => Number.parseInt(hash.slice(index, index + 4), 16), pick: top }),
  },
  'by the days on which it decides': {
    prepare: ({ cols: { close }, days: own }) => ({
      score: (bar) => bar.close,
      pick: top,
      when: { days: own.filter((_, day) => (close[(day + 1) * 6] ?? 0) > (close[day * 6] as number)) },
    }),
  },
  'by orders': {
    prepare: ({ cols: { close } }) => ({
      orders: ({ time }) =>
        time % 4 === 0 && (close[(time + 1) * 6] ?? 0) > (close[time * 6] as number)
          ? [{ symbol: '600000.SH', side: 'buy', shares: 100 }]
          : [],
    }),
  },
  'by a preparation within a preparation': { prepare: () => byArray((at, cell) => at(cell + 18)) },
}

/** One that is ST every day, and one that ends after 30. */
const marked = marketOf(
  codes.flatMap((code, at) => rowsOf(code, walk(at * 7919 + 11, at === 5 ? 30 : days.length))),
  {
    st: fromRows(days.map((tradedate) => ({ tradedate, code: '600003.SH' }))),
    delistings: [{ symbol: '600005.SH', day: days[30] as string }],
  },
)

test.each(Object.keys(ways))('looking ahead is caught on other ways: %s', (name) => {
  expect(checkLookahead(marked, ways[name] as One, free)).toMatchObject({ ok: false, cuts: expect.any(Number) })
})

test('looking ahead by one bar is caught, in bars', () => {
  const minutes = ['1000', '1030', '1100', '1130']
  const own = marketOf(
    codes.flatMap((code, at) =>
      barsOf(
        code,
        minutes,
        days.slice(0, 12).map((_, day) => walk(at * 7919 + day, 4)),
      ),
    ),
  )
  const ahead = (steps: number): One => ({
    prepare: ({ cols: { close }, days: all }) => ({
      score: (bar) => close[(all.indexOf(bar.day) * 4 + minutes.indexOf(bar.minute) + steps) * 6 + bar.index] ?? 0,
      pick: top,
      when: { at: 'every bar' },
    }),
  })
  expect([0, 1].map((steps) => checkLookahead(own, ahead(steps), free).ok)).toEqual([true, false])
})

const open = { exec: { decide: 'open', fill: 'nextOpen' } } as const
const honest: Readonly<Record<string, readonly [One, object?]>> = {
  'a lag': [{ score: (bar) => bar.close / bar.lag('close', 5), pick: top }],
  'a mean': [{ universe: (bar) => bar.close > bar.mean('close', 10), score: (bar) => bar.mean('vol', 3), pick: top }],
  'prepare with a trailing mean': [byArray((at, cell) => at(cell) + at(cell - 6) + at(cell - 12))],
  'what is held': [
    { universe: (bar) => bar.held || bar.close > bar.lag('close', 1), score: (bar) => bar.close, pick: top },
  ],
  'a count that begins in prepare': [
    {
      prepare: () => {
        let bars = 0
        return { score: (bar) => (bars++ % 7 < 4 ? bar.close : -bar.close), pick: top }
      },
    },
  ],
  monthly: [{ score: (bar) => bar.close, pick: top, when: { monthly: 2 } }],
  'at the open': [{ score: (bar) => bar.open / bar.pre_close, pick: top }, open],
}

test.each(Object.keys(honest))('what looks back is not caught: %s', (name) => {
  const [strategy, options = {}] = honest[name] as (typeof honest)[string]
  const check = checkLookahead(market, strategy, { ...free, ...options }, 40)
  expect(check).toEqual({ ok: true, cuts: check.cuts })
  expect(backtest(market, strategy, { ...free, ...options })).toMatchObject({
    lookahead: { ok: true, cuts: Math.min(check.cuts, 8) },
  })
})

test('at the open neither close nor volume of the bar can be read', () => {
  for (const name of ['close', 'high', 'vol'] as const)
    expect(thrownBy(() => backtest(market, { score: (bar) => bar[name], pick: top }, { ...free, ...open }))).toMatch(
      new RegExp(
        `^LOOK_AHEAD: '${name}' of 20260701 is known at the close of its bar, and the decision is made at the open, 09:25:00`,
      ),
    )
  const late: readonly One[] = [
    { score: (bar) => bar.lag('close', 0), pick: top },
    { score: (bar) => bar.mean('close', 3), pick: top },
    ({ close }) => ({ '600000.SH': (close[0] as number) > 10 ? 1 : 0 }),
    (now) => ({ '600000.SH': now.lag('close', 0)[0] as number }),
  ]
  for (const one of late) expect(thrownBy(() => backtest(market, one, { ...free, ...open }))).toMatch(/^LOOK_AHEAD/)
  const ahead: readonly One[] = [
    { score: (bar) => bar.lag('close', -0.5), pick: top },
    { score: (bar) => bar.mean('close', -2), pick: top },
    (now) => ({ '600000.SH': now.lag('close', -1)[0] as number }),
    (now) => ({ '600000.SH': now.lag('close', 0.5)[0] as number }),
  ]
  for (const one of ahead) expect(thrownBy(() => backtest(market, one, free))).toMatch(/^(LOOK_AHEAD|USAGE: mean)/)
  expect(backtest(market, { score: () => Math.random(), pick: top } as One, bare)).toMatchObject({
    lookahead: undefined,
    warnings: [],
  })
})

test('the cross section goes back as a bar does: all instruments, so many times before, as copies', () => {
  const seen: number[][] = []
  const back: Strategy<PriceName> = {
    weights: (now) => {
      const [one, none, same] = [now.lag('close', 2), now.lag('close', 99), now.lag('open', 0)]
      seen.push([...one, ...none.filter((value) => !Number.isNaN(value))])
      expect([...same]).toEqual([...now.open])
      one.fill(0)
      return { [a]: 0.5 }
    },
  }
  backtest(marketOf(rows), back, bare)
  expect(seen).toEqual([
    [nan, nan],
    [nan, nan],
    [100, 10],
    [101, 10.1],
  ])
  const risen: One = (now) => {
    const before = now.lag('close', 5)
    return { '600000.SH': (now.close[0] as number) > (before[0] as number) ? 1 : 0 }
  }
  expect(checkLookahead(market, risen, free)).toMatchObject({ ok: true })
  const late = joined({ data: fromRows(flows()), columns: ['net'], knownAt: '18:00:00' }) as never
  const ask = (times: number) => () =>
    backtest(
      late,
      ((now: { lag(name: string, times: number): Float64Array }) => {
        now.lag('net', times)
        return { [a]: 0 }
      }) as never,
      free,
    )
  expect(thrownBy(ask(0))).toMatch(/^LOOK_AHEAD: 'net' of 20260701 is known at 18:00:00/)
  expect(ask(1)()).toMatchObject({ lookahead: { ok: true } })
  expect(
    thrownBy(() => backtest(marketOf(rows), (now) => ({ [a]: now.lag('closse' as never, 1)[0] as number }), free)),
  ).toMatch(/^MISSING_COLUMN: the panel has no column 'closse'/)
})

test('columns of prepare are read as those of the panel, in a bar, a lag, a mean and the cross section', () => {
  const seen: (number | readonly number[])[] = []
  type Own = Bar<'close' | 'twice'>
  const own: Strategy<PriceName> = {
    prepare: ({ cols: { close } }) => ({
      columns: { twice: close.map((value) => 2 * value) },
      score: (bar: Own) => {
        if (bar.symbol === b) seen.push([bar.twice, bar.lag('twice', 1), bar.mean('twice', 2), bar.close])
        return bar.twice
      },
      pick: top,
    }),
  }
  expect(backtest(marketOf(rows), own, bare).fills.numRows).toBeGreaterThan(0)
  expect(seen.slice(0, 2)).toEqual([
    [20, nan, nan, 10],
    [20.2, 20, 20.1, 10.1],
  ])
  const cross: Strategy<PriceName> = {
    prepare: ({ cols: { close } }) => ({
      columns: { twice: [...close].map((value) => 2 * value) },
      weights: (now: CrossSection<'twice'>) => {
        expect([...now.lag('twice', 0)]).toEqual([...now.twice])
        return { [a]: (now.twice[0] as number) / 1000 }
      },
    }),
  }
  expect(backtest(marketOf(rows), cross, free)).toMatchObject({
    lookahead: { ok: true },
    warnings: [expect.any(Object)],
  })
  for (const at of ['close', 'open'] as const) {
    const exec = { decide: at, fill: 'nextClose' } as const
    const run = () => backtest(marketOf(rows), own, { ...free, exec })
    if (at === 'open')
      expect(thrownBy(run)).toMatch(/^LOOK_AHEAD: 'twice' of 20260701 is known at the close of its bar/)
    else expect(run().lookahead?.ok).toBe(true)
  }
})

const given = (make: (close: Float64Array, width: number) => unknown, name = 'own'): One =>
  ({
    prepare: ({ cols: { close }, symbols }: { cols: { close: Float64Array }; symbols: readonly string[] }) => ({
      columns: { [name]: make(close, symbols.length) },
      score: (bar: Bar) => bar['own'] as number,
      pick: top,
    }),
  }) as never

test('the look-ahead check sees through columns of prepare, also one that keeps what it computed first', () => {
  const shifted = (by: number) => given((close, width) => close.map((_, cell) => close[cell + by * width] ?? nan))
  expect(checkLookahead(market, shifted(-1), free)).toMatchObject({ ok: true })
  expect(checkLookahead(market, shifted(0), free)).toMatchObject({ ok: true })
  expect(checkLookahead(market, shifted(1), free)).toMatchObject({
    ok: false,
    firstDifference: { time: expect.any(String) },
  })
  let memo: Float64Array | undefined
  const keeps = given((close, width) => {
    memo ??= close.map((_, cell) => close[cell + width] ?? nan)
    return memo
  })
  expect(checkLookahead(market, keeps, free)).toMatchObject({ ok: false, fault: 'unchecked' })
})

// biome-ignore format: a table, one mistake a line
test.each([
  [given(() => new Float64Array(5)), "the column 'own' of prepare is an array of 264 numbers, 44 times x 6 instruments, not an array of 5"],
  [given(() => 'text'), "the column 'own' of prepare is an array of 264 numbers, 44 times x 6 instruments, not 'text'"],
  [given((close) => close, 'close'), "prepare gives a column 'close', which the panel has; give it another name"],
  [{ prepare: () => ({ columns: 5, score: () => 1, pick: top }) } as never, 'columns of prepare must be an object, such as { range: Float64Array }, not 5'],
  [{ columns: {}, score: () => 1, pick: top } as never, "no member 'columns'; there are score, universe, pick, weight, weights, orders, when, state, update, exit"],
] as [One, string][])('columns of prepare that can be none are refused %#', (strategy, told) => {
  expect(thrownBy(() => backtest(market, strategy, free))).toMatch(told)
})

test('scores and the returns that followed: by hand, over ex-rights, and of the sample a study', async () => {
  const row = (tradedate: string, open: number, close: number, pre_close: number) => ({
    tradedate,
    code: b,
    open,
    close,
    pre_close,
  })
  // Ten for ten on the third day: 12 becomes 6. No row on the fifth.
  const split = panel(
    fromRows([
      row('20260601', 10, 11, 10),
      row('20260602', 11, 12, 11),
      row('20260603', 6, 6.6, 6),
      row('20260604', 6.6, 7, 6.6),
      row('20260608', 7.7, 8, 7),
    ]),
    { columns: ['open', 'close', 'pre_close'] },
  )
  const score = (bar: { close: number }): number => bar.close
  const { times, forward } = forwardReturns(split, { score }, { horizons: [1, 2] })
  expect(times).toEqual(['20260601', '20260602', '20260603', '20260604', '20260605', '20260608'])
  const near = (values: readonly number[]) => values.map((x) => Number(x.toFixed(10)))
  expect(near([...(forward[0] as Float64Array)])).toEqual([...near([(6 * 2) / 11 - 1, 0.1]), nan, nan, nan, nan])
  expect(near([...(forward[1] as Float64Array)])).toEqual([
    ...near([(6.6 * 2) / 11 - 1]),
    nan,
    ...near([7.7 / 6.6 - 1]),
    nan,
    nan,
    nan,
  ])
  const closes = forwardReturns(split, { score }, { horizons: [1], fill: 'nextClose' }).forward[0] as Float64Array
  expect(closes[0]).toBeCloseTo((6.6 * 2) / 12 - 1, 12)
  for (const [options, told] of [
    [{ horizons: [0] }, 'horizons are whole numbers from 1, not an array'],
    [{ fill: 'sameClose' }, "fill is 'nextOpen' or 'nextClose', not 'sameClose'"],
  ] as const)
    expect(thrownBy(() => forwardReturns(split, { score }, options as never))).toBe(`USAGE: forwardReturns: ${told}`)
  const sample = await connect()
  const bonds = await sample.table.convertibleDaily({ startdate: '20260506', enddate: '20260729' })
  const [[rank = nan] = []] = cellsOf(
    await sample.sql(
      "select count(*) from convertible_daily where tradedate between '20260506' and '20260729' and vol > 0",
    ),
  ) as number[][]
  await sample.close()
  const prices = panel(bonds, { columns: ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'] })
  const universe = (bond: { vol: number }): boolean => bond.vol > 0
  const signal = forwardReturns(prices, { universe, score: (bond) => bond.close }, { horizons: [1, 5] })
  expect(Array.from(signal.score).filter((x) => !Number.isNaN(x)).length).toBe(Number(rank))
  expect(factorStudy(signal).horizons.map(({ dates }) => dates)).toEqual([58, 54])
})

test('columns are typed: a typo does not compile', () => {
  const typed = fromRows(rows) as unknown as Table<{
    tradedate: Utf8
    code: Utf8
    open: Float64
    close: Float64
    vol: Float64
  }>
  const own = panel(typed, { columns: ['open', 'close'] })
  const pick = { n: 1, side: 'lowest' } as const
  expect(backtest(own, { score: (bar) => bar.close + bar.lag('open', 1), pick }, free).days).toHaveLength(4)
  const unchecked = (): void => {
    // @ts-expect-error a typo
    panel(typed, { columns: ['closse'] })
    // @ts-expect-error text is no price
    panel(typed, { columns: ['code'] })
    // @ts-expect-error a column of the data that the panel was not given
    backtest(own, { score: (bar) => bar.vol, pick }, free)
    // @ts-expect-error a typo
    backtest(own, { score: (bar) => bar.lag('closse', 1), pick }, free)
    // @ts-expect-error a typo
    backtest(own, { weights: (now) => now.closse }, free)
    // @ts-expect-error a side that is none
    backtest(own, { score: (bar) => bar.close, pick: { n: 1, side: 'best' } }, free)
  }
  expect(typeof unchecked).toBe('function')
})
