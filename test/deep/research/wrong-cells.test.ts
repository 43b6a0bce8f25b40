import { backtest, type Data, fromRows, panel, tradingDays } from 'quotebook'
import { expect, test } from 'vitest'

/**
 * Honest markets in which one thing is wrong: a digit, two columns, a unit, a day, a class. What moves an account is refused, or named; what the day's own
 * columns can't tell is counted by kind.
 */

interface Row {
  tradedate: string
  code: string
  pre_close: number
  open: number
  high: number
  low: number
  close: number
  vol: number
  amount: number
}
type Column = 'pre_close' | 'open' | 'high' | 'low' | 'close' | 'vol' | 'amount'

const days = tradingDays('20260105', '20260529')
const codes: readonly (readonly [code: string, price: number, limit: number, lot: number, decimals: number])[] = [
  ...Array.from({ length: 5 }, (_, at) => [`60010${at}.SH`, 6 + 9 * at, 0.1, 100, 2] as const),
  ...Array.from({ length: 4 }, (_, at) => [`30010${at}.SZ`, 9 + 13 * at, 0.2, 100, 2] as const),
  ...Array.from({ length: 3 }, (_, at) => [`68810${at}.SH`, 30 + 21 * at, 0.2, 100, 2] as const),
  ...Array.from({ length: 3 }, (_, at) => [`92010${at}.BJ`, 8 + 7 * at, 0.3, 100, 2] as const),
  ...Array.from({ length: 4 }, (_, at) => [`11010${at}.SH`, 104 + 17 * at, 0.2, 10, 3] as const),
  ...Array.from({ length: 3 }, (_, at) => [`51030${at}.SH`, 1.2 + 1.7 * at, 0.1, 100, 3] as const),
]

function lots(seed: number): () => number {
  let state = seed * 7919 + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Walks with days at their limits, suspensions of many days, and ex-rights of shares and funds. */
function market(seed: number): Row[] {
  const next = lots(seed)
  return codes.flatMap(([code, first, limit, lot, decimals]) => {
    const tick = 10 ** decimals
    const round = (price: number): number => Math.round(price * tick) / tick
    let before = round(first * (0.8 + 0.4 * next()))
    const gone = Math.floor(next() * 200)
    return days.flatMap((tradedate, at): Row[] => {
      if (at >= gone && at < gone + 8) return []
      const isEx = lot === 100 && next() < 0.01
      const pre = isEx ? round(before * (0.5 + 0.48 * next())) : before
      const [up, down] = [Math.floor(pre * (1 + limit) * tick) / tick, Math.ceil(pre * (1 - limit) * tick) / tick]
      const within = (price: number): number => Math.min(up, Math.max(down, round(price)))
      const open = within(pre * (1 + (next() - 0.5) * 0.03))
      const close = next() < 0.02 ? (next() < 0.5 ? up : down) : within(pre * (1 + (next() - 0.5) * 0.06))
      const [high, low] = [
        within(Math.max(open, close) * (1 + 0.01 * next())),
        within(Math.min(open, close) * (1 - 0.01 * next())),
      ]
      const vol = Math.floor(2000 + 90_000 * next() ** 3)
      const average = low + (high - low) * (0.3 + 0.4 * next())
      before = close
      return [{ tradedate, code, pre_close: pre, open, high, low, close, vol, amount: Math.round(vol * lot * average) }]
    })
  })
}

const prices: readonly Column[] = ['open', 'close', 'high', 'low', 'pre_close']
type Wrong = (rows: Row[], next: () => number) => Row[]
const place = (rows: readonly Row[], next: () => number): number => Math.floor(rows.length * (0.1 + 0.85 * next()))
const at = (rows: Row[], row: number, change: Partial<Row>): Row[] =>
  rows.map((one, index) => (index === row ? { ...one, ...change } : one))
const pick = <T>(list: readonly T[], next: () => number): T => list[Math.floor(next() * list.length)] as T
const kept = (value: number): number => Math.round(value * 1000) / 1000

const kinds: Readonly<Record<string, Wrong>> = {
  'a digit more or less': (rows, next) => {
    const [row, name, by] = [place(rows, next), pick(prices, next), pick([10, 0.1], next)]
    return at(rows, row, { [name]: kept((rows[row] as Row)[name] * by) })
  },
  'another digit': (rows, next) => {
    const [row, name] = [place(rows, next), pick(prices, next)]
    const text = String((rows[row] as Row)[name])
    const digit = text.search(/[1-9]/) + (next() < 0.5 ? 0 : 1)
    return at(rows, row, {
      [name]: Number(text.slice(0, digit) + pick('123456789'.split(''), next) + text.slice(digit + 1)) || 1,
    })
  },
  'two columns swapped': (rows, next) => {
    const row = place(rows, next)
    const own = rows[row] as Row
    const [a, b] = [pick(prices, next), pick([...prices, 'vol', 'amount'] as Column[], next)]
    return at(rows, row, { [a]: own[b], [b]: own[a] })
  },
  'a unit': (rows, next) => {
    const row = place(rows, next)
    const { code } = rows[row] as Row
    const [name, by] = pick(
      [
        ['vol', 100],
        ['vol', 0.01],
        ['amount', 0.001],
        ['amount', 0.0001],
      ] as const,
      next,
    )
    const until = next() < 0.5 ? 1 : 1000
    return rows.map((one, index) =>
      one.code === code && index >= row && index < row + until ? { ...one, [name]: Math.ceil(one[name] * by) } : one,
    )
  },
  'a day shifted': (rows, next) => {
    const { code } = rows[place(rows, next)] as Row
    const own = rows.filter((one) => one.code === code)
    const names = pick([['pre_close'], ['close'], ['open', 'high', 'low', 'close']] as Column[][], next)
    const by = pick([1, -1], next)
    return rows.map((one) => {
      const from = one.code === code ? own[own.indexOf(one) - by] : undefined
      return from ? { ...one, ...Object.fromEntries(names.map((name) => [name, from[name]])) } : one
    })
  },
  'a code of another class': (rows, next) => {
    const { code } = rows[place(rows, next)] as Row
    const other = pick(['600999.SH', '300999.SZ', '688999.SH', '920999.BJ', '110999.SH', '510999.SH'], next)
    return rows.map((one) => (one.code === code ? { ...one, code: other } : one))
  },
}

const columns = ['open', 'high', 'low', 'close', 'pre_close', 'vol', 'amount'] as const
const strategies = [
  {
    score: (bar: { close: number }) => bar.close,
    pick: { n: 6, side: 'lowest' as const },
    when: { weekly: 1 as const },
  },
  {
    weights: ({ symbols }: { symbols: readonly string[] }) =>
      Object.fromEntries(symbols.map((code) => [code, 1 / symbols.length])),
    when: { every: 7 },
  },
]
const fills = ['nextOpen', 'nextClose', 'nextVwap'] as const

interface Came {
  readonly equity: string
  readonly isTold: boolean
}

function run(rows: readonly Row[], seed: number): Came {
  try {
    const made = panel(fromRows(rows) as Data, { columns } as never)
    const result = backtest(made as never, strategies[seed % 2] as never, {
      cash: 3e6,
      lookahead: false,
      exec: { decide: 'close', fill: fills[seed % 3] as never },
    })
    return {
      equity: [...result.equity].join(),
      isTold: result.warnings.some(
        (text) => !/earlier close|first row after|by the volume of their bar/.test(String(text)),
      ),
    }
  } catch {
    return { equity: '', isTold: true }
  }
}

test('300 worlds with one thing wrong: none moves an account without a word where the day can tell', () => {
  const counts: Record<string, { worlds: number; moved: number; silent: number }> = {}
  const names = Object.keys(kinds)
  for (let seed = 0; seed < Number(process.env['WORLDS'] ?? 300); seed++) {
    const honest = market(seed)
    const right = run(honest, seed)
    if (process.env['BEFORE'] === undefined) expect(right.isTold, `honest world ${seed}`).toBe(false)
    const kind = names[seed % names.length] as string
    const came = run((kinds[kind] as Wrong)(honest, lots(seed + 1000)), seed)
    const count = counts[kind] ?? { worlds: 0, moved: 0, silent: 0 }
    counts[kind] = count
    count.worlds++
    if (came.equity === right.equity) continue
    count.moved++
    if (came.isTold) continue
    count.silent++
  }
  console.log(counts)
  const silent = Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, count.silent]))
  if (process.env['WORLDS'] === undefined && process.env['BEFORE'] === undefined)
    // What no column of the day tells: a class with wider limits and the same ticks, a previous close that a dividend could give.
    expect(silent).toEqual({
      'a digit more or less': 0,
      'another digit': 1,
      'two columns swapped': 1,
      'a unit': 0,
      'a day shifted': 0,
      'a code of another class': 10,
    })
})
