import { connect, type Market, type Provenance, provenance, show, toJson, toObjects } from 'quotebook'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Asked,
  bars,
  closeAll,
  errorOf,
  type Items,
  marketOf,
  noData,
  ofRows,
  ofSample,
  type Row,
  success,
  type Vendor,
  vendor,
} from './helper/vendor.js'

/** A capped reply is never passed on as whole: what a lying service says is refused, or `unproven`, never wrong and complete. */
afterEach(closeAll)

let sample: Market
beforeAll(async () => {
  sample = await connect()
})

const about = (table: Awaited<ReturnType<Market['query']>>): Provenance => provenance(table) as Provenance

const bonds = ['110059', '110073', '110085', '111002', '111010', '113021', '113050', '113052'].map((one) => `${one}.SH`)
const etfs = ['159915.SZ', '159919.SZ', '159941.SZ', '510050.SH', '510300.SH', '510500.SH', '512880.SH', '513100.SH']
const days = { from: '20260727', to: '20260729' }
const july = { startdate: '20260701', enddate: '20260729' }

/** Questions to the sample, and what an honest service that tells nothing of itself is asked and believed for. */
const questions: readonly [what: string, name: string, params: Row, options: object, honest: string][] = [
  ['bars over days', 'convertible_minute', { period: '30m', symbols: bonds }, { days }, 'right 5 grid'],
  ['bars with holes', 'etf_minute', { period: '30m', symbols: etfs, tradedate: '20260728' }, {}, 'right 2 probes'],
  ['named codes', 'convertible_daily', { ...july, symbols: bonds }, {}, 'right 3 probes'],
  ['codes that nobody named', 'convertible_daily', july, {}, 'unproven 7'],
  ['a list', 'st', july, {}, 'right 2 probes'],
  ['ten of each channel', 'southbound_top10', july, {}, 'right 2 probes'],
  ['indices', 'theme_daily', { type: 'tj', ...july }, {}, 'right 1 calendar'],
  ['one row a day', 'transfer_financing', july, {}, 'right 3 probes'],
  ['a bucket over days', 'etf_minute', { period: '15m', symbols: etfs, trademin: '1000' }, { days }, 'right 8 probes'],
  ['hot lists', 'hotstock', { type: 'ths&normal' }, { days }, 'unproven 3'],
  ['pages', 'interactive_qa', {}, {}, 'right 2 total'],
  ['announcements', 'finance_announcement', {}, {}, 'right 2 total'],
  ['news', 'news', {}, {}, 'right 3 probes'],
]

interface Sheet {
  readonly items: Items
  readonly fields: readonly string[]
  /** Of a row: its code, its day. */
  readonly code: (row: readonly unknown[]) => string
  readonly day: (row: readonly unknown[]) => string
  readonly codes: readonly string[]
  readonly days: readonly string[]
  readonly asked: Asked
  readonly number: number
}
interface Told {
  readonly items: Items
  /** Beside the rows, at the top, and of the reply itself. */
  readonly beside?: Row
  readonly outer?: Row
  readonly headers?: Record<string, string>
  readonly status?: number
}
type Lie = (sheet: Sheet) => Told

/** A service over the sample that distorts what it sends. */
function lying(lie: Lie): Promise<Vendor> {
  return vendor(async (asked, number) => {
    const honest = await ofSample(asked)
    if (!Array.isArray(honest.data?.items)) return honest
    const { fields, items, groups: _, ...beside } = honest.data as { fields: string[]; items: Items; groups: unknown }
    const place = (...names: readonly string[]): number => fields.findIndex((name) => names.includes(name))
    const [codeAt, dayAt] = [place('symbol', 'code', 's', 'source'), place('tradedate', 'trade_date', 'event_date')]
    const code = (row: readonly unknown[]): string => String(row[codeAt])
    const day = (row: readonly unknown[]): string => String(row[dayAt])
    const [codes, ofDays] = [[...new Set(items.map(code))], [...new Set(items.map(day))]]
    const told = lie({ items, fields, code, day, codes, days: ofDays, asked, number })
    const noRow = told.items.length === 0 && items.length > 0
    const envelope = noRow ? noData : success(fields, told.items, { ...beside, ...told.beside })
    return { text: JSON.stringify({ ...envelope, ...told.outer }), status: told.status, headers: told.headers }
  })
}

const right = new Map<string, string>()

/** What comes of a question to a service that lies from its first request on. */
async function outcomeOf(lie: Lie, [what, name, params, options]: (typeof questions)[number]): Promise<string> {
  if (!right.has(what)) right.set(what, toJson(await sample.query(name, params, options)))
  const market = await marketOf((await lying(lie)).url)
  try {
    const table = await market.query(name, params, options)
    const { complete, proof, call } = about(table)
    if (complete) return `${toJson(table) === right.get(what) ? 'right' : 'WRONG'} ${call?.requests} ${proof}`
    return `unproven ${call?.requests}`
  } catch (error) {
    return `refused ${(error as { code?: string }).code}`
  }
}

test('an honest service is believed, for as few requests as ever', async () => {
  const found = []
  for (const question of questions) found.push([question[0], await outcomeOf(({ items }) => ({ items }), question)])
  expect(found).toEqual(questions.map(([what, , , , honest]) => [what, honest]))
})

const capped =
  (most: number, word: (all: number) => Omit<Told, 'items'> = () => ({})): Lie =>
  ({ items }) => ({ items: items.slice(0, most), ...(items.length > most ? word(items.length) : {}) })
const without = (isGone: (sheet: Sheet, row: readonly unknown[], at: number) => boolean): Lie => {
  return (sheet) => ({ items: sheet.items.filter((row, at) => !isGone(sheet, row, at)) })
}
const within = (bytes: number): Lie => {
  return ({ items }) => {
    let end = 1
    const isWithin = (row: readonly unknown[]): boolean => {
      end += JSON.stringify(row).length + 1
      return end <= bytes
    }
    return { items: items.filter(isWithin) }
  }
}
/** So many rows of each code, the first of them. */
const ofEachCode =
  (most: number): Lie =>
  ({ items, code }) => {
    const seen = new Map<string, number>()
    return {
      items: items.filter((row) => {
        const before = seen.get(code(row)) ?? 0
        seen.set(code(row), before + 1)
        return before < most
      }),
    }
  }
/** Rows of a page that is not the first, in another order or other ones. */
const laterPage =
  (change: (items: Items) => Items): Lie =>
  ({ items, asked }) => ({ items: Number(asked.params.offset) > 0 && items.length > 12 ? change(items) : items })
const other = (row: readonly unknown[], { fields }: Sheet): unknown[] =>
  row.map((cell, i) =>
    /^(close|amount|closing_balance|title|question|name)$/.test(fields[i] as string) && cell !== null
      ? typeof cell === 'number'
        ? cell + 1
        : `${cell}'`
      : cell,
  )

/** What services do to rows that they do not want to send, or do not have together. */
const lies: Readonly<Record<string, Lie>> = {
  'a cap of 14 rows': capped(14),
  'a cap of 14 rows, has_more': capped(14, () => ({ beside: { has_more: true } })),
  'a cap of 14 rows, a total at the top': capped(14, (all) => ({ outer: { total_count: String(all) } })),
  'a cap of 14 rows, a cursor': capped(14, () => ({ beside: { pagination: { next_cursor: 'abc' } } })),
  'a cap of 14 rows, truncated': capped(14, () => ({ beside: { truncated: true } })),
  'a cap of 14 rows, partial': capped(14, () => ({ outer: { partial: true } })),
  'a cap of 14 rows, is_complete false': capped(14, () => ({ beside: { is_complete: false } })),
  'a cap of 14 rows, a total in meta': capped(14, (all) => ({ outer: { meta: { total: all } } })),
  'a cap of 14 rows, rows left': capped(14, (all) => ({ beside: { remaining: all - 14 } })),
  'a cap of 14 rows, total_pages': capped(14, (all) => ({ beside: { page: 1, total_pages: Math.ceil(all / 14) } })),
  'a cap of 14 rows, status 206': capped(14, () => ({ status: 206 })),
  'a cap of 14 rows, Content-Range': capped(14, (all) => ({ headers: { 'content-range': `items 0-13/${all}` } })),
  'a cap of 14 rows, X-Truncated': capped(14, () => ({ headers: { 'x-truncated': 'true' } })),
  'a cap of 14 rows, X-Total-Count': capped(14, (all) => ({ headers: { 'x-total-count': String(all) } })),
  'a cap of 14 rows, a link to the next': capped(14, () => ({ headers: { link: '</api?page=2>; rel="next"' } })),
  'has_more though all is there': ({ items }) => ({ items, beside: { has_more: true } }),
  'a total above that of the rows': ({ items }) => ({ items, outer: { total_count: 9999 } }),
  'a cap of 4,000 bytes': within(4000),
  'a cap of 32,000 bytes': within(32_000),
  'a cap of 4 rows a code': ofEachCode(4),
  'no bars of the morning': without(
    ({ fields, asked }, row) => asked.params.trademin === undefined && String(row[fields.indexOf('trademin')]) < '1200',
  ),
  'four codes of many': without(({ codes, code }, row) => !codes.slice(0, 4).includes(code(row))),
  'the last code gone': without(
    ({ codes, code, asked }, row) => asked.apiname !== 'st' && codes.length > 3 && code(row) === codes.at(-1),
  ),
  'a row in the middle gone': without(({ codes, items }, _, at) => codes.length > 2 && at === items.length >> 1),
  'a day in the middle gone': without(({ days: all, day }, row) => all.length > 2 && day(row) === all[all.length >> 1]),
  'the last day gone': without(({ days: all, day }, row) => all.length > 1 && day(row) === all.at(-1)),
  'every second row, once more than 30': without(
    ({ items, asked }, _, at) => asked.apiname !== 'st' && items.length > 30 && at % 2 === 1,
  ),
  'a row twice': ({ items }) => ({ items: items.length > 3 ? [...items, items[1] as unknown[]] : items }),
  'other cells every other time, of requests that overlap': (sheet) => ({
    items: sheet.number % 2 || sheet.asked.params.period ? sheet.items : sheet.items.map((row) => other(row, sheet)),
  }),
  'rows of another code where codes were named': ({ items, fields, asked }) => ({
    items: items.map((row, at) =>
      at === 2 && asked.params.symbols
        ? row.map((cell, i) => (/^(symbol|code)$/.test(fields[i] as string) ? '999999' : cell))
        : row,
    ),
  }),
  'every other time without some rows': without(
    ({ number, items }, _, at) => number % 2 === 0 && at % 7 === 3 && items.length >= 8,
  ),
  'a row of a later page twice in it': laterPage((items) => items.with(9, items[3] as unknown[])),
  'first and last of a later page swapped': laterPage((items) => [
    items.at(-1) as unknown[],
    ...items.slice(1, -1),
    items[0] as unknown[],
  ]),
  'a cap that shrinks with the request': ({ items, days: all }) => ({
    items: items.slice(0, Math.max(10, 90 - 2 * all.length)),
  }),
  'a cap that grows with the request': ({ items, days: all, codes }) => ({
    items: items.slice(0, 6 + 2 * all.length + codes.length),
  }),
}

/** A word of a reply is heard in the same way whatever was asked: it is tried on a question of each kind of answer. */
const kinds = questions.filter(([what]) =>
  ['bars over days', 'named codes', 'hot lists', 'pages', 'news'].includes(what),
)

test.each(Object.entries(lies))('%s: never complete over other rows than there are', async (name, lie) => {
  for (const question of name.startsWith('a cap of 14 rows,') ? kinds : questions)
    expect(await outcomeOf(lie, question), question[0]).not.toMatch(/WRONG|undefined/)
})

describe('row caps', () => {
  const codes = Array.from({ length: 2000 }, (_, i) => `${110000 + i}.SH`)
  const daily = (count: number, ...on: readonly string[]): Row[] =>
    on.flatMap((tradedate) =>
      codes
        .slice(0, count)
        .map((code) => ({ tradedate, symbol: code.slice(0, 6), code, close: Number(code.slice(0, 6)) })),
    )

  test('a reply at the cap is asked again in halves until the whole is there', async () => {
    const on = ['20260701', '20260702', '20260703', '20260706', '20260707']
    const rows = daily(1600, ...on)
    const market = await marketOf((await vendor(ofRows(rows, 6000))).url)
    const params = { startdate: '20260701', enddate: '20260707', symbols: codes.slice(0, 1600) }
    const table = await market.query('convertible_daily', params, { fields: ['tradedate', 'code', 'close'] })
    expect(toObjects(table)).toEqual(rows.map(({ tradedate, code, close }) => ({ tradedate, code, close })))
    expect(about(table)).toMatchObject({ complete: true, rows: 8000, call: { requests: 3 } })
    const all = await market.query('convertible_daily', { startdate: '20260701', enddate: '20260707' })
    expect(about(all)).toMatchObject({ complete: false, rows: 8000, note: expect.stringContaining('1600 codes') })
  })

  test('rows at the cap that can not be split are refused, or handed over and said', async () => {
    const market = await marketOf(
      (
        await vendor(
          ofRows(
            Array.from({ length: 7000 }, (_, i) => ({
              tradedate: '20260701',
              symbol: `${110000 + i}`,
              code: `${110000 + i}.SH`,
            })),
            6000,
          ),
        )
      ).url,
    )
    const error = await errorOf(market.query('convertible_daily', { tradedate: '20260701' }))
    expect(error).toMatchObject({ name: 'TruncatedError', code: 'TRUNCATED', retryable: false })
    expect(error.message).toBe(
      'convertible_daily: 6000 rows, as many as a reply holds, and no strategy to split them: narrow the query, or take what came (allowTruncated)',
    )
    const table = await market.query('convertible_daily', { tradedate: '20260701' }, { allowTruncated: true })
    expect(about(table)).toMatchObject({
      complete: false,
      rows: 6000,
      note: 'convertible_daily: 6000 rows, as many as a reply holds; there may be more',
    })
    expect(about(table)).not.toHaveProperty('proof')
  })

  test('a cap that no contract states is found out', async () => {
    const many = codes.slice(0, 350).map((code) => code.replace(/^11/, '51'))
    const rows = bars(many, '20260701')
    const market = await marketOf((await vendor(ofRows(rows, 5000))).url)
    const table = await market.query('etf_minute', { symbols: many, tradedate: '20260701', period: '15m' })
    expect(about(table)).toMatchObject({ complete: true, proof: 'grid', rows: rows.length })
  })

  test('halves that hold less than the whole did are asked again, then refused', async () => {
    const rows = daily(1500, '20260701', '20260702', '20260703', '20260706')
    const honest = ofRows(rows, 6000)
    const isWhole = ({ params }: Asked): boolean => params.startdate === '20260701' && params.enddate === '20260706'
    const { url, asked } = await vendor((one) =>
      isWhole(one) ? honest(one) : { code: 1002, message: 'no data', data: null },
    )
    const market = await marketOf(url)
    const error = await errorOf(market.query('convertible_daily', { startdate: '20260701', enddate: '20260706' }))
    expect(error).toMatchObject({ code: 'UNSTABLE', retryable: true })
    expect(error.message).toMatchInlineSnapshot(
      `"convertible_daily: 6000 rows of 20260701 to 20260706, and only 0 when its halves are asked; the answers do not go together, try again"`,
    )
    expect(asked.length).toBeLessThan(16)
  })

  test('the latest day begins between two requests: all rows are of one day', async () => {
    const many = codes.slice(0, 700).map((code) => code.replace(/^11/, '51'))
    const old = ofRows(bars(many, '20260701'))
    const fresh = ofRows([...bars(many, '20260701'), ...bars(many.slice(0, 100), '20260702')])
    const market = await marketOf((await vendor((asked, n) => (n === 1 ? old : fresh)(asked))).url)
    const table = await market.query('etf_minute', { symbols: many, period: '15m' })
    expect(new Set(toObjects(table).map(({ tradedate }) => tradedate))).toEqual(new Set(['20260701']))
    expect(about(table)).toMatchObject({ complete: true, rows: 700 * 17 })
  })
})

describe('pages', () => {
  const rows: Row[] = Array.from({ length: 4700 }, (_, i) => ({
    ...{ symbol: '000001', event_date: '20260706', qa_id: String(10000 + i), question: `q${i}`, answer: `a${i}` },
    ...{
      question_time: '2026-07-01 10:00:00',
      answer_time: '2026-07-06 10:00:00',
      revision_no: 1,
      version_ambiguous: false,
    },
  }))
  const honest = ofRows(rows)
  const pages = async (
    change: (data: Row & { items: Items }, n: number, asked: Asked) => Row,
    answer = honest,
  ): Promise<Market> => {
    const { url } = await vendor((asked, n) => {
      const { data, ...rest } = answer(asked)
      return { ...rest, code: rest.code, message: rest.message, data: data && change(data, n - 1, asked) }
    })
    return marketOf(url)
  }
  const offsetOf = ({ params }: Asked): number => Number(params.offset ?? 0)

  test('are read to the end, and one request more shows the end', async () => {
    const market = await pages((data) => data)
    const table = await market.query('interactive_qa', {}, { fields: ['qa_id'] })
    expect(toObjects(table).map(({ qa_id }) => qa_id)).toEqual(rows.map(({ qa_id }) => qa_id))
    expect(about(table)).toMatchObject({ complete: true, proof: 'total', total: 4700, call: { requests: 4 } })
    const few = await market.query('interactive_qa', { limit: 50, offset: 100 })
    expect(about(few)).toMatchObject({ complete: false, note: 'rows 101 to 150 of 4700', call: { requests: 1 } })
  })

  test.each<[what: string, change: Parameters<typeof pages>[0], outcome: string]>([
    ['a row skipped once', (data, n) => (n === 1 ? { ...data, items: data.items.slice(1) } : data), 'right'],
    [
      'a row twice, once',
      (data, n) => (n === 1 ? { ...data, items: [data.items[0], ...data.items.slice(0, -1)] } : data),
      'right',
    ],
    ['pages shorter than asked for', (data) => ({ ...data, items: data.items.slice(0, 700) }), 'right'],
    [
      'rows skipped all the time',
      (data, n) => (n % 3 === 1 ? { ...data, items: data.items.slice(1) } : data),
      'UNSTABLE',
    ],
    ['a total that shrinks all the time', (data, n) => ({ ...data, total: 4700 - n }), 'UNSTABLE'],
    ['a total that is never reached', (data) => ({ ...data, total: 5000 }), 'TRUNCATED'],
    ['more rows than the total', (data) => ({ ...data, items: data.items.slice(0, 20), total: 10 }), 'UNSTABLE'],
    ['no total', (data) => ({ ...data, total: undefined }), 'ENVELOPE'],
    ['an offset that is ignored', (data) => ({ ...data, offset: 0 }), 'ENVELOPE'],
    [
      'a total of what came',
      (data, _, asked) => ({
        ...data,
        items: data.items.slice(0, 99),
        total: offsetOf(asked) + Math.min(99, data.items.length),
      }),
      'UNSTABLE',
    ],
  ])('%s', async (_, change, outcome) => {
    const market = await pages(change)
    const error = await errorOf(market.query('interactive_qa', {}))
    expect(error.code ?? 'right').toBe(outcome)
  })

  test('a single page is compared with its counts, and one request more shows its end', async () => {
    const few = ofRows(rows.slice(0, 37))
    const whole = await pages((data) => data, few)
    for (const [limit, complete, requests] of [
      [50, true, 2],
      [37, true, 2],
      [36, false, 1],
    ] as const) {
      const table = await whole.query('interactive_qa', { limit })
      expect(about(table)).toMatchObject({ complete, call: { requests } })
    }
    const shorter = await pages((data) => ({ ...data, items: data.items.slice(1) }), few)
    const cut = await shorter.query('interactive_qa', { limit: 50 }, { allowTruncated: true })
    expect(`${about(cut).note}`).toBe('rows 1 to 36 of 37')
    for (const [market, code, said] of [
      [shorter, 'TRUNCATED', /sends 36 rows where 37 were due/],
      [await pages((data) => ({ ...data, total: 5 }), few), 'ENVELOPE', /counts 5 rows/],
      [await pages((data) => ({ ...data, offset: 3 }), few), 'ENVELOPE', /answers from row 4/],
    ] as const) {
      const error = await errorOf(market.query('interactive_qa', { limit: 50 }))
      expect(error).toMatchObject({ code, message: expect.stringMatching(said) })
    }
  })

  test('rows that come in front while the pages are read are there too', async () => {
    let all = rows
    const { url } = await vendor((asked, n) => {
      const fresh = { ...rows[0], event_date: '20260707', answer_time: '2026-07-07 10:00:00', qa_id: `9${n}` }
      if (n > 1 && n < 4) all = [fresh, ...all]
      return ofRows(all)(asked)
    })
    const table = await (await marketOf(url)).query('interactive_qa', {})
    expect(about(table)).toMatchObject({ complete: true, total: 4702, rows: 4702 })
  })
})

describe('what a reply says of itself', () => {
  const asked = { symbols: ['510300.SH'], tradedate: '20260701', period: '15m' } as const
  const value = success(
    ['tradedate', 'symbol', 'trademin', 'time', 'open', 'high', 'low', 'close', 'vol', 'amount', 'vwap'],
    bars(['510300.SH'], '20260701').map((row) => [...Object.values(row), null]),
  )
  const ask = async (text: string): Promise<{ code?: string; message: string }> =>
    errorOf((await marketOf((await vendor(() => ({ text }))).url)).query('etf_minute', asked))
  const good = JSON.stringify(value)

  test.each([
    ['items', good.replace('"items":', '"items":[],"items":')],
    ['items', good.replace('"items":', '"\\u0069tems":[],"items":')],
    ['code', good.replace('"code":200', '"code":503,"code":200')],
    ['b', good.replace('"items":', '"meta":{"a":[{"b":1,"b":2}]},"items":')],
    ['x', good.replace('{', '{"x":1,"x":1,')],
  ])('a member %s that stands twice is refused', async (name, text) => {
    for (const body of [text, text.replace('"data":', `${' '.repeat(2 ** 18)}"data":`)]) {
      const { code, message } = await ask(body)
      expect([code, message]).toEqual([
        'ENVELOPE',
        expect.stringMatching(`the reply has the member "${name}", which stands twice in one object`),
      ])
    }
  })

  test('a reply that says itself that there are more rows is refused, or handed over and said', async () => {
    const { url } = await vendor(() => ({ ...value, data: { ...value.data, has_more: true } }))
    const market = await marketOf(url)
    const error = await errorOf(market.query('etf_minute', asked))
    expect([error.code, error.message]).toEqual([
      'TRUNCATED',
      expect.stringContaining('says that there are more (has_more true)'),
    ])
    const table = await market.query('etf_minute', asked, { allowTruncated: true })
    expect(about(table)).toMatchObject({
      complete: false,
      rows: 17,
      note: expect.stringContaining('there may be more'),
    })
  })

  test('digits beyond 2^53 are refused, in a reply of any size', async () => {
    for (const pad of ['', ' '.repeat(2 ** 18)]) {
      const { code, message } = await ask(
        good.replace('"amount"', `${pad}"amount"`).replace(/,100000,/, ',9007199254740993,'),
      )
      expect([code, message]).toEqual([
        'CONTRACT',
        expect.stringContaining('row 2: amount must be within 2^53, beyond which digits are lost'),
      ])
    }
  })

  test.each<[what: string, change: (row: unknown[], at: number) => unknown[], message: string]>([
    ['a number as a code', (row) => row.with(1, 510300), 'row 1: symbol must be code, not 510300'],
    ['text as a number', (row, at) => (at === 5 ? row.with(7, '1.5') : row), 'row 6: close must be number, not "1.5"'],
    [
      'a missing code',
      (row, at) => (at === 2 ? row.with(1, null) : row),
      'row 3: symbol is null where the contract requires a value',
    ],
    [
      'another day',
      (row, at) => (at === 9 ? row.with(0, '20260630') : row),
      'row 10: tradedate is 20260630 where 20260701 was asked for',
    ],
    [
      'another market',
      (row, at) => (at === 9 ? row.with(1, '510300.SZ') : row),
      'row 10: symbol is 510300.SZ where 510300.SH was asked for',
    ],
    [
      'no bucket',
      (row, at) => (at === 3 ? row.with(2, '0931') : row),
      'row 4: trademin is 0931 where a bucket of 15m was asked for',
    ],
    [
      'another time',
      (row, at) => (at === 3 ? row.with(3, '15:00:00') : row),
      'row 4: time is 15:00:00 in the bar of 15m that closes at 1015',
    ],
  ])('%s is refused by row and field', async (_, change, message) => {
    const items = (value.data.items as unknown[][]).map((row, at) => change(row, at))
    const error = await ask(JSON.stringify({ ...value, data: { ...value.data, items } }))
    expect(error).toMatchObject({ code: 'CONTRACT', name: 'ContractError', dataset: 'etf_minute' })
    expect(error.message).toContain(message)
    expect(error.message).toMatch(/^etf_minute: .* \(answer of http:\/\/127\.0\.0\.1:\d+\)$/)
  })

  test('rows in any order, columns in any order, a column more: put right, and said', async () => {
    const { fields, items } = value.data as { fields: string[]; items: unknown[][] }
    const data = {
      fields: ['iopv', ...fields.toReversed()],
      items: items.map((row, i) => [i, ...row.toReversed()]).toReversed(),
    }
    const extra: unknown[] = []
    const market = await marketOf((await vendor(() => ({ ...value, data }))).url, {
      onExtraColumn: (one: { column: string }) => extra.push(one.column),
    } as never)
    const table = await market.query('etf_minute', asked)
    expect(toObjects(table)).toEqual(
      items.map((row, i) => ({ ...Object.fromEntries(fields.map((name, c) => [name, row[c]])), iopv: i })),
    )
    expect([about(table).extra, extra]).toEqual([['iopv'], ['iopv']])
  })

  test('news of stale sources, and news that are counted and not sent, are not complete', async () => {
    const fields = ['display_at', 'source', 'source_name', 'title', 'source_id', 'item_type', 'updated_at']
    const row = ['2026-07-01T10:00:00', 'yicai_home', '第一财经', 't', '1', 'article', '2026-07-01T10:00:00']
    const news = async (beside: Row): Promise<Provenance> => {
      const { url } = await vendor(({ fields: names = '', params }) =>
        Array.isArray(params.sources) && !params.sources.includes('yicai_home')
          ? { code: 1002, message: 'no data', data: null }
          : success(names.split(','), [names.split(',').map((name) => row[fields.indexOf(name)] ?? null)], beside),
      )
      const table = await (await marketOf(url)).query('news', {})
      expect(show(table, { width: 300 }).text()).toContain(about(table).note ?? '')
      return about(table)
    }
    const meta = { upstream_stale_sources: ['cls_hot_article'], upstream_status: 'partial' }
    expect(await news({ count: 1, view: 'time', meta })).toMatchObject({
      complete: false,
      note: expect.stringContaining(
        'stale at the source: cls_hot_article; the source was collected with the status partial, not complete',
      ),
      beside: { meta },
    })
    expect(await news({ count: 30, view: 'time' })).toMatchObject({
      complete: false,
      note: 'the reply counts 30 rows and holds 1',
    })
  })

  test('rows that break a law are kept, and named', async () => {
    const items = (value.data.items as unknown[][]).map((row, at) => (at === 4 ? row.with(6, 99) : row))
    const { url } = await vendor(() => ({ ...value, data: { ...value.data, items } }))
    const table = await (await marketOf(url)).query('etf_minute', asked)
    expect(about(table)).toMatchObject({
      rows: 17,
      complete: true,
      suspect: expect.arrayContaining([
        expect.objectContaining({ law: 'range', rows: 1, first: expect.objectContaining({ row: 4 }) }),
      ]),
    })
  })
})
