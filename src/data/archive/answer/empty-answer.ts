import type { Query } from '../../../contract/check-params.js'
import { closedWords } from '../../../contract/closed-words.js'
import type { Dataset } from '../../../contract/dataset.js'
import { listOf, sentence, type Words } from '../../../contract/sentence.js'
import { codeMatcher } from '../../../contract/symbol.js'
import { nearCodes, wrongCode } from '../../../contract/wrong-code.js'
import { matchedCodes, queryDays, symbolColumn } from '../../source/plan/asked.js'
import { distinctValues } from '../../source/reply/reply-chunk.js'
import type { Snapshot } from '../snapshot.js'
import { latestIn, partsBetween, usualParts } from './day-conditions.js'
import { memoizedLast } from './memoized.js'

/** Codes that are told of. */
const most = 6

/** That the days asked for lie before the first or after the last day that an archive has. */
function beyondWords(snapshot: Snapshot, dataset: Dataset, from: string, to: string): Words | undefined {
  const parts = usualParts(snapshot.parts(dataset.name))
  const last = latestIn(parts)
  const [first] = parts.flatMap((part) => part.from ?? []).sort()
  if (first === undefined || last === undefined || (from <= last && to >= first)) return undefined
  return sentence`${dataset.name} goes from ${first} to ${last} here`
}

/** The codes of the latest rows of a dataset of prices. */
async function latestCodes(snapshot: Snapshot, dataset: Dataset): Promise<readonly string[]> {
  const [parts, column] = [snapshot.parts(dataset.name), symbolColumn(dataset)]
  const last = latestIn(parts)
  if (last === undefined || column === undefined || !('close' in dataset.columns)) return []
  const loaded = await Promise.all(
    partsBetween(parts, { from: last, to: last }).map((part) => snapshot.load(dataset.name, part)),
  )
  return [...new Set(loaded.flatMap((columns) => distinctValues(columns, column)))]
}

/** Why none of the codes that are asked for has a row. */
async function codeWords(snapshot: Snapshot, dataset: Dataset, asked: readonly string[]): Promise<readonly Words[]> {
  const { name, instruments } = dataset
  const latest = asked.length > 0 ? await latestCodes(snapshot, dataset) : []
  return asked.slice(0, most).flatMap((code) => {
    const wrong = instruments && wrongCode(code, instruments)
    if (wrong) return [sentence`'${code}' is no code of ${name}: ${wrong.why}`]
    if (latest.length === 0 || latest.some(codeMatcher([code]))) return []
    const near = nearCodes(code, latest)
    return near.length > 0
      ? [sentence`${code} is not among the latest codes of ${name}; near it: ${near.join(', ')}`]
      : [sentence`${code} is not among the latest codes of ${name}`]
  })
}

/** The codes that a question about many days was told of, for each of its days. */
const lastCodes = memoizedLast<Snapshot, readonly Words[]>()

/** Why nothing matches, as far as the days and the codes tell; undefined where rows might have been there. */
export async function emptyWords(snapshot: Snapshot, dataset: Dataset, query: Query): Promise<Words | undefined> {
  const { day, from = day, to = day ?? '99991231' } = queryDays(dataset, query, {})
  const closed = from === undefined || dataset.openRange ? undefined : closedWords(from, to)
  const ofDays = from === undefined ? [] : [closed, beyondWords(snapshot, dataset, from, to)]
  const asked = (dataset.instruments && matchedCodes(dataset, query)) ?? []
  const key = `${dataset.name} ${asked.join(' ')}`
  const ofCodes = await lastCodes(snapshot, key, () => codeWords(snapshot, dataset, asked))
  const told = [...ofDays, ...ofCodes].filter((one) => one !== undefined)
  return told.length === 0 ? undefined : listOf(told)
}
