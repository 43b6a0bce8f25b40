import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Bar,
  backtest,
  benchmarkOfTable,
  connect,
  defineStrategy,
  fromCsv,
  loadBenchmark,
  loadPanel,
  numbers,
  panel,
  strings,
  sweep,
  walkForward,
} from 'quotebook'
import { afterAll, describe, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { folder, removeFolders } from './helper/files.js'
import { thrownBy } from './helper/prices.js'

/** A strategy that declares its data, and the days, cash and benchmark that the run brings. */

removeFolders()
const market = await connect()
afterAll(() => market.close())

const data = { dataset: 'convertible_daily' } as const
const strategy = {
  score: (bond: Bar<'close' | 'cb_over_rate'>) => bond.close + bond.cb_over_rate,
  pick: { n: 5, side: 'lowest', exitRank: 8 },
  when: { weekly: 1 },
} as const
const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return `${code}: ${message}`
  }
  throw new Error('it did not fail')
}

test('defineStrategy completes the columns of the data, and of what is joined, and refuses others', () => {
  const join = [{ dataset: 'theme_daily', params: { symbols: '880047' }, columns: ['change'], symbol: false }] as const
  const file = defineStrategy({
    data: { dataset: 'etf_minute', params: { period: '30m' }, columns: ['close', 'vwap'], join },
    score: (fund) => fund.close / fund.vwap + fund.change,
    pick: { n: 2, side: 'lowest' },
  })
  expect(file.data.dataset).toBe('etf_minute')
  // @ts-expect-error: the dataset has no such column
  defineStrategy({ data, score: (bond) => bond.closse, pick: { n: 1, side: 'lowest' } })
  // @ts-expect-error: no number, and so no column of a panel
  defineStrategy({ data: { dataset: 'convertible_daily', columns: ['name'] }, weights: () => ({}) })
})

describe('loadPanel', () => {
  test('has what a panel made by hand has, over the same days, and the names', async () => {
    const { panel: loaded, names } = await loadPanel(market, data)
    const table = await market.table.convertibleDaily({ startdate: '20260506', enddate: '20260729' })
    const columns = Object.keys(loaded.cols) as 'close'[]
    const byHand = panel(table, { columns })
    expect([loaded.hash, loaded.begin]).toEqual([byHand.hash, 0])
    expect(columns).toContain('cb_over_rate')
    const last = strings(table, 'code').lastIndexOf('123124.SZ')
    expect(names['123124.SZ']).toBe(strings(table, 'name')[last])
  })

  test('days before the first are history: figures and curve are of the days from it on', async () => {
    const { panel: prices } = await loadPanel(market, data, { from: '20260601', to: '20260710' })
    expect([prices.days[0], prices.days[prices.begin], prices.days.at(-1)]).toEqual([
      '20260506',
      '20260601',
      '20260710',
    ])
    const looksBack = { ...strategy, score: (bond: { lag(c: 'close', n: number): number }) => bond.lag('close', 10) }
    const { days, equity, account, fills, lookahead } = backtest(prices, looksBack as never, { cash: 1e6 })
    expect([days[0], days.length, equity.length, account.numRows]).toEqual(['20260601', 29, 29, 29])
    expect(strings(account, 'tradedate')).toEqual(days)
    expect([strings(fills, 'tradedate')[0], lookahead?.ok]).toEqual(['20260602', true])
    const short = await loadPanel(market, { ...data, history: 3 }, { from: '20260601' })
    expect([short.panel.days[0], short.panel.begin]).toEqual(['20260527', 3])
  })

  test('what a run does not look back at changes nothing of it', async () => {
    const days = { from: '20260601', to: '20260710' }
    const runs = await Promise.all(
      [0, 5, 250].map(async (history) => {
        const { panel: prices } = await loadPanel(market, { ...data, history }, days)
        const one = { ...strategy, when: { every: 3 } }
        const swept = sweep(prices, { n: [3, 5] }, ({ n }) => ({ ...one, pick: { n, side: 'lowest' as const } }), {
          cash: 1e6,
        })
        const walked = walkForward(
          prices,
          { n: [3, 5] },
          ({ n }) => ({ ...one, pick: { n, side: 'lowest' as const } }),
          {
            cash: 1e6,
            trainDays: 8,
            testDays: 5,
          },
        )
        const { equity, turnover } = backtest(prices, one, { cash: 1e6 })
        return { equity, turnover, swept: swept.trials, folds: walked.folds, walked: walked.equity }
      }),
    )
    expect(runs[1]).toEqual(runs[0])
    expect(runs[2]).toEqual(runs[0])
  })

  test('joins another dataset: an index beside each bond', async () => {
    const join = [{ dataset: 'theme_daily', params: { symbols: '880047' }, columns: { index: 'close' }, symbol: false }]
    const { panel: prices } = await loadPanel(market, { ...data, join } as never)
    const index = await market.table.themeDaily({
      type: 'tj',
      symbols: '880047',
      startdate: '20260506',
      enddate: '20260729',
    })
    const own = prices.column('index')
    expect(Array.from(prices.days, (_, day) => own[day * prices.symbols.length])).toEqual([...numbers(index, 'close')])
  })

  test('what is typed wrong is refused with the nearest right name', async () => {
    const told = (more: object, days = {}) => refusal(loadPanel(market, { ...data, ...more } as never, days))
    expect(await told({ dataset: 'convertible_dail' })).toMatch(/did you mean 'convertible_daily'\?/i)
    expect(await told({ dataset: 'news' })).toMatch(/^USAGE: data: news has no prices; those that have are /)
    expect(await told({ columns: ['close', 'cb_over_rat'] })).toMatch(
      /^MISSING_COLUMN: .*did you mean 'cb_over_rate'\?$/,
    )
    expect(await told({ colums: [] })).toMatch(/did you mean 'columns'\?/)
    expect(await told({ history: -1 })).toMatch(/^USAGE: data: history is a whole number/)
    expect(await told({}, { from: '2026' })).toBe("USAGE: from is a day YYYYMMDD, not '2026'")
    expect(await told({}, { from: '20260801' })).toMatch(/^USAGE: data: from 20260801 is later than to 20260729/)
  })
})

describe('a market up to a day', () => {
  test('answers no later row, and its latest day is that day', async () => {
    const then = market.until('20260630')
    const latest = await then.table.convertibleDaily()
    expect(new Set(strings(latest, 'tradedate'))).toEqual(new Set(['20260630']))
    const range = await then.table.convertibleDaily({ startdate: '20260625', enddate: '20260710' })
    expect(strings(range, 'tradedate').sort().at(-1)).toBe('20260630')
    const closes = await then.query('convertible_daily', { startdate: '20260629' }, { fields: ['close', 'code'] })
    expect([closes.schema.fields.map(({ name }) => name), closes.numRows]).toEqual([['close', 'code'], 39])
    const told = await then.table.financeAnnouncement({ startdate: '20260601', enddate: '20260729' })
    expect(strings(told, 'event_date').sort().at(-1)).toMatch(/^2026-06-30/)
    expect(thrownBy(() => market.until('2026-06-31'))).toMatch(/^USAGE: market.until takes a day/)
  })
})

describe('a benchmark', () => {
  test('is the index of the class, an index by name or code, or an instrument', async () => {
    const { panel: prices } = await loadPanel(market, data, { from: '20260601' })
    const index = await market.table.themeDaily({
      type: 'tj',
      symbols: '880047',
      startdate: '20260529',
      enddate: '20260729',
    })
    const usual = await loadBenchmark(market, prices)
    expect([usual.name, usual.days[0], [...usual.equity]]).toEqual(['可转债', '20260529', [...numbers(index, 'close')]])
    expect(await loadBenchmark(market, prices, '880047')).toEqual(usual)
    expect((await loadBenchmark(market, prices, '123124.SZ')).days).toEqual(usual.days)
    expect(await refusal(loadBenchmark(market, prices, '可转'))).toMatch(/^USAGE: benchmark: nothing is named '可转'/)
  })
})

describe('quotebook backtest of a file that declares its data', () => {
  const dir = folder()
  const file = join(dir, 'double-low.mjs')
  const lines = [
    'export default {',
    "  data: { dataset: 'convertible_daily' },",
    '  score: (bond) => bond.close + bond.cb_over_rate,',
    "  pick: { n: 5, side: 'lowest', exitRank: 8 },",
    '  when: { weekly: 1 },',
    '}',
    '',
  ]
  writeFileSync(file, lines.join('\n'))

  test('days, cash, costs and benchmark are the options of the run; its page is made again by verify', async () => {
    const words = ['--from', '20260622', '--to', '20260710', '--cash', '500000', '--slippage', '5bps']
    const more = ['--commission', '0.0001,2', '--out', join(dir, 'out'), '--format', 'csv']
    const ran = await here('backtest', file, ...words, ...more)
    expect([ran.code, ran.err.split('\n').length]).toEqual([0, expect.any(Number)])
    expect(ran.out).toMatch(/^days +20260622 to 20260710 \(15\)$/m)
    expect(ran.out).toMatch(/^benchmark +可转债 /m)
    const { panel: prices } = await loadPanel(market, data, { from: '20260622', to: '20260710' })
    const options = { cash: 500_000, slippageBps: 5, commission: { rate: 0.0001, min: 2 } }
    const { equity } = backtest(prices, strategy, options)
    expect(ran.out).toContain(`500000 -> ${equity.at(-1)}`)
    const fills = fromCsv(readFileSync(join(dir, 'out', 'fills.csv'), 'utf8'))
    expect(strings(fills, 'name').every((name) => name?.endsWith('转债'))).toBe(true)
    const verified = await here('verify', join(dir, 'out', 'tear-sheet.html'), '--code', file)
    expect([verified.code, verified.out.trimEnd().split('\n').at(-1)]).toEqual([0, 'byte-identical'])
  })

  test('what a module keeps from one preparation to the next hides nothing from the look-ahead check', async () => {
    const keeping = (ahead: number, memo: string, first = ''): string => `${first}
export default { data: { dataset: 'convertible_daily' }, prepare: ({ cols, symbols, days }) => {
  ${memo}
  const place = new Map(days.map((day, at) => [day, at]))
  return { score: (bond) => -bond.close / memo[(place.get(bond.day) - ${ahead}) * symbols.length + bond.index], pick: { n: 5, side: 'highest' } }
} }`
    writeFileSync(join(dir, 'kept.mjs'), 'const all = {}\nexport const keep = (make) => (all.memo ??= make())')
    const own = 'memo ??= cols.close.slice()'
    const ran = async (text: string) => {
      const memo = join(dir, `memo-${text.length}.mjs`)
      writeFileSync(memo, text)
      return here('backtest', memo, '--from', '20260601', '--benchmark', 'none')
    }
    const sees = await ran(keeping(-5, own, 'let memo'))
    expect([sees.code, sees.out]).toEqual([1, expect.stringMatching(/^look-ahead +DECIDES BY THE FUTURE at 2026/m)])
    const honest = await ran(keeping(5, own, 'let memo'))
    expect([honest.code, honest.out]).toEqual([0, expect.stringMatching(/^look-ahead +none in 8 cuts$/m)])
    const elsewhere = await ran(
      keeping(-5, 'const memo = keep(() => cols.close.slice())', "import { keep } from './kept.mjs'"),
    )
    expect([elsewhere.code, elsewhere.out]).toEqual([1, expect.stringMatching(/^look-ahead +cannot be checked/m)])
    expect(elsewhere.err).toMatch(/the look-ahead check: prepare keeps what it computed/)
  })

  test('a strategy that decides otherwise when asked again is told apart from one that sees the future', async () => {
    const counting = join(dir, 'counting.mjs')
    writeFileSync(
      counting,
      `export default { data: { dataset: 'convertible_daily' }, make: () => {
  const asked = new Map()
  return {
    score: (bond) => {
      asked.set(bond.symbol, (asked.get(bond.symbol) ?? 0) + 1)
      return bond.close * asked.get(bond.symbol)
    },
    pick: { n: 5, side: asked.size > 0 ? 'highest' : 'lowest' },
  }
} }`,
    )
    const run = await here('backtest', counting, '--from', '20260601', '--out', join(dir, 'counted'))
    expect([run.code, run.out]).toEqual([1, expect.stringMatching(/^look-ahead +cannot be checked: asked again/m)])
    expect(run.err).toMatch(/the look-ahead check: asked again with the same data/)
    const { lookahead } = JSON.parse(readFileSync(join(dir, 'counted', 'summary.json'), 'utf8'))
    expect(lookahead).toMatchObject({ ok: false, fault: 'nondeterministic' })
    const page = readFileSync(join(dir, 'counted', 'tear-sheet.html'), 'utf8')
    expect([page.includes('asked again with the same data'), page.includes('uses the future')]).toEqual([true, false])
    const planned = await here('plan', counting, '--day', '20260729', '--cash', '300000')
    expect(planned.err).not.toMatch(/look-ahead !/)
  })

  test('small differences are left alone by --min-trade-lots, as by the option of the library', async () => {
    const often = join(dir, 'often.mjs')
    writeFileSync(often, lines.join('\n').replace('weekly: 1', 'every: 1'))
    const fills = (out: string): number => Number(/^fills +(\d+)$/m.exec(out)?.[1])
    const run = (...words: string[]) => here('backtest', often, '--from', '20260601', '--benchmark', 'none', ...words)
    const [all, few] = [await run(), await run('--min-trade-lots', '5')]
    expect(fills(few.out)).toBeLessThan(fills(all.out))
    const { panel: prices } = await loadPanel(market, data, { from: '20260601' })
    const { fills: wanted } = backtest(prices, { ...strategy, when: { every: 1 } }, { cash: 1e6, minTradeLots: 5 })
    expect(fills(few.out)).toBe(wanted.numRows)
    const half = await run('--min-trade-lots', '1.5')
    expect(half).toMatchObject({ code: 2, err: expect.stringMatching(/--min-trade-lots/) })
    const page = join(dir, 'lots')
    await run('--min-trade-lots', '5', '--out', page)
    expect((await here('verify', join(page, 'tear-sheet.html'), '--code', often)).code).toBe(0)
  })

  test('orders are sized by the prices that --size-at says, as by the option of the library', async () => {
    const equityOf = (out: string): number => Number(/^equity +1000000 -> (\S+)$/m.exec(out)?.[1])
    const { panel: prices } = await loadPanel(market, data, { from: '20260601' })
    const wanted = (sizeAt?: 'decision' | 'fill') =>
      backtest(prices, strategy, { cash: 1e6, ...(sizeAt && { sizeAt }) }).equity.at(-1)
    expect(wanted('fill')).not.toBe(wanted('decision'))
    const run = (...words: string[]) => here('backtest', file, '--from', '20260601', '--benchmark', 'none', ...words)
    expect(equityOf((await run()).out)).toBe(wanted('decision'))
    for (const at of ['decision', 'fill'] as const) expect(equityOf((await run('--size-at', at)).out)).toBe(wanted(at))
    expect(await run('--size-at', 'open')).toMatchObject({ code: 2, err: expect.stringMatching(/--size-at/) })
  })

  test('the table of a sweep is whole where no terminal shows it', async () => {
    const made = join(dir, 'made.mjs')
    const text = lines.join('\n').replace(/score[\s\S]*/, '')
    writeFileSync(
      made,
      `${text}make: ({ n, exit_rank_of_a_long_name }) => ({ score: (bond) => bond.close, pick: { n, side: 'lowest', exitRank: exit_rank_of_a_long_name } }) }`,
    )
    const sweeps = ['--sweep', 'n=3,5', '--sweep', 'exit_rank_of_a_long_name=6,8']
    const { out } = await here('backtest', made, '--from', '20260601', '--benchmark', 'none', ...sweeps)
    const [head = ''] = out.split('\n')
    for (const name of ['exit_rank_of_a_long_name', 'sharpe', 'turnover'])
      expect(head.replaceAll(' ', '_')).toContain(name)
    expect(head).not.toContain('…')
  })

  test('a benchmark of one’s own is a table of tradedate and close; what says nothing is refused', async () => {
    writeFileSync(join(dir, 'own.csv'), 'tradedate,close\n20260727,1\n20260728,1\n20260729,1.1\n')
    const own = (...words: string[]) => here('backtest', file, '--from', '20260727', ...words)
    expect((await own('--benchmark', join(dir, 'own.csv'))).out).toMatch(/^benchmark +\S*own\.csv 10\.00 %/m)
    expect((await own('--benchmark', 'none')).out).not.toContain('benchmark')
    const wrong = () => benchmarkOfTable(fromCsv('date,level\n20260728,1\n') as never, 'wrong.csv', {} as never)
    expect(thrownBy(wrong)).toMatch(
      /^MISSING_COLUMN: benchmark wrong\.csv: .*columns tradedate \(YYYYMMDD\) and close$/,
    )
    expect(await own('--slippage', '5pct')).toMatchObject({ code: 2, err: expect.stringMatching(/--slippage/) })
    expect(await own('--cash', 'much')).toMatchObject({ code: 2, err: expect.stringMatching(/--cash/) })
  })

  test('saved runs are compared: figures side by side, and what differs in params, options and benchmark; the page is the same again', async () => {
    const at = (name: string): string => join(dir, name)
    const save = (name: string, ...words: string[]) =>
      here('backtest', file, '--from', '20260622', '--out', at(name), ...words)
    await save('one')
    await save('two', '--slippage', '3', '--benchmark', 'ETF等权')
    const compared = await here('backtest', 'compare', at('one'), at('two'), '--page', at('both.html'))
    const figures = (name: string) => JSON.parse(readFileSync(join(at(name), 'summary.json'), 'utf8')).figures
    const percent = (x: number): string => `${(100 * x).toFixed(2)}%`
    const [one, two] = [figures('one'), figures('two')]
    expect(compared.out).toMatch(new RegExp(`^Total return +${percent(one.total)} +${percent(two.total)}$`, 'm'))
    expect(compared.out).toMatch(/^slippageTicks +3$/m)
    expect(compared.out).toMatch(/^benchmark +可转债 +ETF等权$/m)
    expect(compared.out).not.toMatch(/^(code|prices)/m)
    const page = readFileSync(at('both.html'), 'utf8')
    await here('backtest', 'compare', at('one'), at('two'), '--page', at('again.html'))
    expect(readFileSync(at('again.html'), 'utf8')).toBe(page)
    expect(page).toContain('<a href="one/tear-sheet.html">')
    expect(page).not.toContain('<script')
    await here('backtest', 'compare', at('one'), at('two'), '--page', at('live.html'), '--interactive')
    expect(readFileSync(at('live.html'), 'utf8')).toContain('<script>')
    expect((await here('backtest', 'compare', at('one'), at('one'))).err).toMatch(
      /nothing that they were made with differs/,
    )
    expect(await here('backtest', 'compare', at('one'), dir)).toMatchObject({ code: 2, out: '' })
  })
})
