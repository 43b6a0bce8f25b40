/* Deep: runs Python beside us over random markets. */
import { expect, test } from 'vitest'
import { type Answer, computed, differences, oracle } from './oracle-compare.js'
import { type Market, marketOf } from './oracle-markets.js'

/** RUNS=10000 by hand; SEED=n for other paths. */
const paths = Number(process.env.RUNS ?? 150)
const seed = Number(process.env.SEED ?? 20_260_730)
const perMarket = 5

/** What the paths made happen, so that a test over nothing is seen. */
class Tally {
  readonly counts = new Map<string, number>()

  add(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by)
  }

  of(market: Market, answer: Answer): void {
    for (const [what, by] of Object.entries(answer.seen)) this.add(what, by)
    for (const row of answer.refused) this.add(`refused for ${row.kind}`)
    for (const row of answer.rows) {
      if (row.tradedate !== row.computed_on) this.add(`forecast ${row.status}`)
      else this.add(`completed ${row.measure} ${row.window_days} ${row.direction} ${row.status}`)
      this.add(`${row.board} ${row.st ? 'ST' : 'plain'} ${row.threshold_pct}`)
      this.add(`benchmark ${row.benchmark}`)
      this.add(`elapsed ${row.elapsed_days}`)
    }
    const resets = typeof market.options.resets === 'string' ? market.options.resets : 'given'
    this.add(`resets ${resets}, days ${market.options.days}`, answer.rows.length)
    const [price] = market.prices
    if (price)
      this.add(
        'pre_close' in price ? 'pre_close' : 'adj_factor' in price ? 'adj_factor' : 'adjusted',
        answer.rows.length,
      )
  }
}

const boards = ['SSE main', 'SZSE main', 'ChiNext', 'STAR', 'BSE']
const mustHappen = [
  ...['up', 'down'].flatMap((way) =>
    ['abnormal 3', 'severe 10', 'severe 30', 'severe by count 10'].flatMap((rule) => [
      `completed ${rule} ${way} triggered`,
      `completed ${rule} ${way} reachable`,
    ]),
  ),
  'forecast reachable',
  'forecast triggered',
  ...boards.map((board) => `${board} plain ${board.endsWith('main') ? 20 : board === 'BSE' ? 40 : 30}`),
  'SSE main ST 15',
  'SSE main ST 12',
  'SSE main ST -12',
  'SSE main ST 20',
  'SZSE main ST 12',
  'SZSE main ST 20',
  'ChiNext ST 30',
  'BSE plain 150',
  'benchmark BSE-MEAN',
  'benchmark 899050.BJ',
  'BSE plain -60',
  'elapsed 1',
  'elapsed 2',
  'elapsed 3',
  'elapsed 10',
  'elapsed 30',
  'resets computed, days stock',
  'resets computed, days market',
  'resets none, days stock',
  'resets none, days market',
  'resets given, days stock',
  'pre_close',
  'adj_factor',
  'adjusted',
  'exactly reached',
  'equal intervals',
  'window cut by a reset',
  'suspended within',
  'everything cut by a halt',
  'triggered by a movement that was counted already',
  'halted on the next day',
  'trigger price on a cent',
  'refused for price',
  'refused for limit',
  'refused for halted',
  'refused for twice',
  'refused for calendar',
  'refused for board',
  'refused for before listing',
]

test(`${paths} random paths: every row and number as the oracle has it`, { timeout: 3_600_000 }, () => {
  const tally = new Tally()
  const wrong: string[] = []
  const batch = 60
  for (let from = 0; from < paths / perMarket; from += batch) {
    const numbers = Array.from({ length: Math.min(batch, Math.ceil(paths / perMarket) - from) }, (_, i) => from + i)
    const markets = numbers.map((i) => marketOf(seed, i, perMarket))
    const answers = oracle(markets)
    for (const [i, market] of markets.entries()) {
      const answer = answers[i]
      if (!answer) throw new Error('the oracle answered too little')
      tally.of(market, answer)
      const found = differences(computed(market), answer)
      wrong.push(...found.map((text) => `market ${numbers[i]}: ${text}`))
    }
  }
  if (process.env.TALLY) console.log(JSON.stringify(Object.fromEntries([...tally.counts].sort()), null, 1))
  expect(wrong.slice(0, 20)).toEqual([])
  expect(mustHappen.filter((what) => !tally.counts.has(what))).toEqual([])
})
