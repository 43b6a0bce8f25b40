import type { Dataset } from '../../contract/dataset.js'
import { texts } from '../../frame/values.js'
import type { Shelf } from '../shelf.js'
import { daysAsked, plainConditions } from './condition.js'
import { join, type Piece } from './piece.js'
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

/**
 * The two minute operations (rules 1 to 3 of section 4.5): a series for the symbols asked for, one bucket for all when
 * only a minute is given, the latest bucket of the day when neither is, unless all bars are wanted.
 */
export const minute: Rule = async (shelf, dataset, query, allBars = false) => {
  const ofPeriod = dataset.stored?.period ? [whereWord('period', [String(query.period)])] : []
  const tradedate = (query.tradedate as string | undefined) ?? (await latestDayOf(shelf, dataset, ofPeriod))
  if (tradedate === undefined) return { pieces: [] }
  const { parts, when } = daysAsked(shelf, dataset, query, tradedate)
  const conditions = [...when, ...ofPeriod, ...plainConditions(dataset, query)]
  if (query.trademin !== undefined) conditions.push(whereWord('trademin', [String(query.trademin)]))
  const pieces = await scan(shelf, dataset, parts, conditions)
  if (allBars || query.trademin !== undefined || query.symbols !== undefined) return { pieces }
  const latest = latestBucket(dataset, pieces)
  if (latest === undefined) return { pieces }
  return { pieces: await scan(shelf, dataset, parts, [...conditions, whereWord('trademin', [latest])]) }
}
