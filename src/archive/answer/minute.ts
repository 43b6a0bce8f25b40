import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { bucketCloses } from '../../contract/session.js'
import { codeMatcher } from '../../contract/symbol.js'
import { texts } from '../../table/values.js'
import type { Shelf } from '../shelf.js'
import { daysAsked, plainConditions } from './condition.js'
import { join, type Piece } from './piece.js'
import type { DaysAsked } from './proof.js'
import type { Rule } from './rule.js'
import { anyMatch, type Condition, scan, whereWord } from './scan.js'

/** The latest day that has bars of the period asked for. */
async function latestDayOf(shelf: Shelf, dataset: Dataset, ofPeriod: Condition[]): Promise<string | undefined> {
  for (const part of shelf.parts(dataset.name).toReversed()) {
    if (anyMatch(await shelf.load(dataset.name, part), ofPeriod)) return part.to
  }
  return undefined
}

function latestBucket(dataset: Dataset, pieces: readonly Piece[]): string | undefined {
  return texts(join(dataset, pieces, ['trademin']), 'trademin').reduce<string | undefined>(
    (a, b) => ((a ?? '') > (b ?? '') ? a : (b ?? undefined)),
    undefined,
  )
}

/** What the bars of a day lack: a bucket of a code that was asked for, or the last bucket of the day. */
function lackOf(
  dataset: Dataset,
  { symbols, trademin, period = '30m' }: Query,
  pieces: readonly Piece[],
  day: string,
  allBars: boolean,
): string | undefined {
  const grid = bucketCloses[period as '15m' | '30m']
  const columns = join(dataset, pieces, ['symbol', 'trademin'])
  const [codes, minutes] = [texts(columns, 'symbol'), texts(columns, 'trademin')]
  if (!Array.isArray(symbols)) {
    const due = trademin === undefined ? (allBars ? grid : grid.slice(-1)) : [String(trademin)]
    const absent = due.find((minute) => !minutes.includes(minute))
    return absent === undefined ? undefined : `the bars of ${day} lack the bucket ${absent}`
  }
  const due = trademin === undefined ? grid.length : 1
  for (const symbol of symbols as readonly string[]) {
    const isOwn = codeMatcher([symbol])
    const found = new Set(minutes.filter((_, row) => isOwn(codes[row] ?? ''))).size
    if (found < due) return `${symbol} has ${found} of ${due} bars on ${day}`
  }
  return undefined
}

/**
 * The two minute operations (rules 1 to 3 of section 4.5): a series for the symbols asked for, one bucket for all when
 * only a minute is given, the latest bucket of the day when neither is, unless all bars are wanted.
 */
export const minute: Rule = async (shelf, dataset, query, allBars = false) => {
  const ofPeriod = dataset.stored?.period ? [whereWord('period', [String(query.period)])] : []
  const tradedate = (query.tradedate as string | undefined) ?? (await latestDayOf(shelf, dataset, ofPeriod))
  if (tradedate === undefined) return { pieces: [], lacks: `the archive has no such bars of ${dataset.name}` }
  const { parts, when, span } = daysAsked(shelf, dataset, query, tradedate)
  const conditions = [...when, ...ofPeriod, ...plainConditions(dataset, query)]
  if (query.trademin !== undefined) conditions.push(whereWord('trademin', [String(query.trademin)]))
  const pieces = await scan(shelf, dataset, parts, conditions)
  const asked: DaysAsked = { span, ...(dataset.stored?.period ? { scope: ['period', String(query.period)] } : {}) }
  const hasBars = parts.length > 0
  const lacks = hasBars ? lackOf(dataset, query, pieces, tradedate, allBars) : undefined
  if (query.symbols !== undefined) return { pieces, asked, lacks, proof: hasBars ? 'grid' : 'calendar' }
  const latest = allBars || query.trademin !== undefined ? undefined : latestBucket(dataset, pieces)
  if (latest === undefined) return { pieces, asked, lacks }
  return { pieces: await scan(shelf, dataset, parts, [...conditions, whereWord('trademin', [latest])]), asked, lacks }
}
