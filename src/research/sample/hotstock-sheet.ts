import { hotLists } from '../../contract/catalogue/hotstock.js'
import { divideHalfUp } from './exact-quotient.js'
import { below, fork, isChosen } from './random.js'
import type { Day } from './sample-days.js'
import type { Sample } from './sample-plan.js'
import { sheetOf, type WholeRow } from './sample-sheet.js'
import { closeOf, isSuspended, nameOn, type SampleStock, tradedBefore } from './sample-stock.js'

const longest = 20

interface Candidate {
  readonly stock: SampleStock
  readonly root: number
}

interface Placed extends Candidate {
  readonly heat: number
}

/** Change of the day in percent, ROUND_HALF_UP to 2 decimals; null for a suspended stock and now and then. */
function changeOf({ root, stock }: Candidate, t: number): number | null {
  if (isSuspended(stock, t) || isChosen(fork(fork(root, 'unknown'), t), 15)) return null
  const before = closeOf(stock, tradedBefore(stock, t))
  return divideHalfUp((closeOf(stock, t) - before) * 10_000, before) / 100
}

/** Where a stock stands in a list: part of it stays for a week. The lower the hotter; of equal ones the lower code. */
function heatOf(root: number, t: number): number {
  return below(fork(root, Math.floor(t / 5)), 1000) * 2 + below(fork(root, t), 1000)
}

function isHotter(a: Placed, b: Placed): boolean {
  return a.heat < b.heat || (a.heat === b.heat && a.stock.code < b.stock.code)
}

function hottest(candidates: readonly Candidate[], t: number): Placed[] {
  const list: Placed[] = []
  for (const { stock, root } of candidates) {
    const one = { stock, root, heat: heatOf(root, t) }
    const place = list.findIndex((other) => isHotter(one, other))
    if (place < 0 && list.length >= longest) continue
    list.splice(place < 0 ? list.length : place, 0, one)
    if (list.length > longest) list.pop()
  }
  return list
}

function listRows(type: (typeof hotLists)[number], candidates: readonly Candidate[], day: Day): WholeRow<'hotstock'>[] {
  return hottest(candidates, day.t).map((one, place) => ({
    s: one.stock.code,
    n: nameOn(one.stock, day),
    pc: changeOf(one, day.t),
    rank: place + 1,
    tradedate: day.date,
    type,
  }))
}

function typeRows(sample: Sample, type: (typeof hotLists)[number], days: readonly Day[]): WholeRow<'hotstock'>[] {
  const root = fork(fork(sample.seed, 'hot'), type)
  const candidates = sample.stocks.map((stock) => ({ stock, root: fork(root, stock.code) }))
  return days.flatMap((day) => listRows(type, candidates, day))
}

/** The fifteen hot lists of each day, twenty stocks each, with the columns of both modes. */
export const hotstockSheet = sheetOf(
  'hotstock',
  (sample) => sample.days,
  (sample, days) => hotLists.flatMap((type) => typeRows(sample, type, days)),
)
