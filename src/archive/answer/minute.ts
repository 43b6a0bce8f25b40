import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { bucketCloses } from '../../contract/session.js'
import { codeMatcher } from '../../contract/symbol.js'
import { textCells } from '../../table/values.js'
import type { Snapshot } from '../snapshot.js'
import type { RequiredDays } from './completeness.js'
import { daysAsked, plainConditions } from './condition.js'
import { anyMatch, type Condition, selectSlices, whereWord } from './row-conditions.js'
import { joinSlices, type RowSlice } from './row-slices.js'
import type { AnswerRule } from './rule.js'

/** The latest day that has bars of the period requiredDays for. */
async function latestDayOf(snapshot: Snapshot, dataset: Dataset, ofPeriod: Condition[]): Promise<string | undefined> {
  for (const part of snapshot.parts(dataset.name).toReversed()) {
    if (anyMatch(await snapshot.load(dataset.name, part), ofPeriod)) return part.to
  }
  return undefined
}

function latestBucket(dataset: Dataset, slices: readonly RowSlice[]): string | undefined {
  return textCells(joinSlices(dataset, slices, ['trademin']), 'trademin').reduce<string | undefined>(
    (a, b) => ((a ?? '') > (b ?? '') ? a : (b ?? undefined)),
    undefined,
  )
}

/** What the bars of a day lack: a bucket of a code that was requiredDays for, or the last bucket of the day. */
function lackOf(
  dataset: Dataset,
  { symbols, trademin, period = '30m' }: Query,
  slices: readonly RowSlice[],
  day: string,
  allBars: boolean,
): string | undefined {
  const grid = bucketCloses[period as '15m' | '30m']
  const columns = joinSlices(dataset, slices, ['symbol', 'trademin'])
  const [codes, minutes] = [textCells(columns, 'symbol'), textCells(columns, 'trademin')]
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
 * The two minute operations (rules 1 to 3 of section 4.5): a series for the symbols requiredDays for, one bucket for all when
 * only a minute is given, the latest bucket of the day when neither is, unless all bars are wanted.
 */
export const minute: AnswerRule = async (snapshot, dataset, query, allBars = false) => {
  const ofPeriod = dataset.stored?.period ? [whereWord('period', [String(query.period)])] : []
  const tradedate = (query.tradedate as string | undefined) ?? (await latestDayOf(snapshot, dataset, ofPeriod))
  if (tradedate === undefined) return { slices: [], missing: `the archive has no such bars of ${dataset.name}` }
  const { parts, when, span } = daysAsked(snapshot, dataset, query, tradedate)
  const conditions = [...when, ...ofPeriod, ...plainConditions(dataset, query)]
  if (query.trademin !== undefined) conditions.push(whereWord('trademin', [String(query.trademin)]))
  const slices = await selectSlices(snapshot, dataset, parts, conditions)
  const requiredDays: RequiredDays = {
    span,
    ...(dataset.stored?.period ? { scope: ['period', String(query.period)] } : {}),
  }
  const hasBars = parts.length > 0
  const missing = hasBars ? lackOf(dataset, query, slices, tradedate, allBars) : undefined
  if (query.symbols !== undefined) return { slices, requiredDays, missing, proof: hasBars ? 'grid' : 'calendar' }
  const latest = allBars || query.trademin !== undefined ? undefined : latestBucket(dataset, slices)
  if (latest === undefined) return { slices, requiredDays, missing }
  return {
    slices: await selectSlices(snapshot, dataset, parts, [...conditions, whereWord('trademin', [latest])]),
    requiredDays,
    missing,
  }
}
