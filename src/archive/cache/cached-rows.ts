import type { CacheRule, Dataset } from '../../contract/dataset.js'
import { codeMatcher, exchangeOf, parseCode } from '../../contract/symbol.js'
import { distinctValues } from '../../source/reply/reply-chunk.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../table/values.js'
import { partsIn } from '../answer/day-conditions.js'
import { type Condition, selectSlices, where } from '../answer/row-conditions.js'
import { emptyColumns, joinSlices } from '../answer/row-slices.js'
import type { Snapshot } from '../snapshot.js'
import { type CacheQuery, type CacheSplit, type CodeGroup, cachedDates } from './cache-query.js'
import { type DayRanges, includes } from './day-ranges.js'

/** The column that the codes of a query are matched with. */
function codeColumn({ params }: Dataset): string {
  return params.symbols?.columns?.[0] ?? ''
}

/** Rows of one scope. Candidates: those of a completed day, no forecasts. */
export function inScope({ stored, day }: Dataset, { scope: param }: CacheRule, scope: string): Condition[] {
  const own = param === undefined ? [] : [where(param, (word) => word === scope)]
  if (!stored?.computed_on) return own
  const isCompleted: Condition = ({ columns }) => {
    const [of, from] = [columns.get(day ?? '') as ColumnData, columns.get('computed_on') as ColumnData]
    return (row) => cellOf(of, row) === cellOf(from, row)
  }
  return [...own, isCompleted]
}

/** Rows of the dates. */
export function onDates({ day }: Dataset, dates: DayRanges): Condition {
  return where(day ?? '', (word) => word !== null && includes(dates, word))
}

/** Rows of the codes of groups on the dates of each. No two codes differ in nothing but the exchange. */
export function inGroups(dataset: Dataset, groups: readonly CodeGroup[]): Condition {
  const [first] = groups
  if (first && first.codes === undefined) return onDates(dataset, first.dates)
  const known = new Map(
    groups.flatMap(({ codes, dates }) =>
      (codes ?? []).map((code) => [parseCode(code).bare, { isOwn: codeMatcher([code]), dates }] as const),
    ),
  )
  return ({ columns }) => {
    const values = columns.get(codeColumn(dataset))
    const days = columns.get(dataset.day ?? '')
    if (values?.type !== 'dictionary' || days?.type !== 'dictionary') return () => false
    const datesOf = values.dictionary.map((word) => {
      const code = known.get(parseCode(word).bare)
      return code?.isOwn(word) ? code.dates : undefined
    })
    return (row) => {
      const dates = datesOf[values.data[row] as number]
      const day = days.dictionary[days.data[row] as number]
      return dates !== undefined && day !== undefined && includes(dates, day)
    }
  }
}

/** The rows that the cache holds of what it answers. */
export async function readCached(snapshot: Snapshot, query: CacheQuery, split: CacheSplit): Promise<RecordColumns> {
  const { dataset, rule, scope } = query
  const dates = cachedDates(split)
  const [from, to] = [dates[0]?.[0], dates.at(-1)?.[1]]
  if (from === undefined || to === undefined) return emptyColumns(dataset)
  const filters = (rule.filters ?? []).flatMap((name) => {
    const wanted = query.query[name]
    const [column] = dataset.params[name]?.columns ?? []
    return Array.isArray(wanted) && column !== undefined
      ? [where(column, (word) => word !== null && wanted.includes(word))]
      : []
  })
  const conditions = [...inScope(dataset, rule, scope), inGroups(dataset, split.cached), ...filters]
  return joinSlices(
    dataset,
    await selectSlices(snapshot, dataset, partsIn(snapshot, dataset, { from, to }), conditions),
  )
}

/** Codes with rows: of those asked for, and whether any row is of a code that was not asked for. */
export function answeredCodes(
  dataset: Dataset,
  columns: RecordColumns,
  codes: readonly string[],
): { readonly answered: readonly string[]; readonly hasOthers: boolean } {
  const byBare = new Map(codes.map((code) => [parseCode(code).bare, code]))
  const words = distinctValues(columns, codeColumn(dataset))
  const answered = words.flatMap((word) => {
    const code = byBare.get(parseCode(word).bare)
    return code !== undefined && codeMatcher([code])(word) ? [code] : []
  })
  return { answered, hasOthers: answered.length < words.length }
}

/** Tells of the code of a row that it is asked for without its exchange only, and not of the exchange of its number. */
function otherExchange(codes: readonly string[] | undefined): (word: string) => boolean {
  const bare = new Set((codes ?? []).filter((code) => parseCode(code).exchange === undefined))
  return (word) => {
    const code = parseCode(word)
    return bare.has(code.bare) && code.exchange !== undefined && exchangeOf(code.bare) !== code.exchange
  }
}

/** Whether a row may be of a code that the service does not mean: `000001` is Shenzhen's, and `000001.SH` has its digits. */
export function isAmbiguous(dataset: Dataset, columns: RecordColumns, codes: readonly string[] | undefined): boolean {
  return distinctValues(columns, codeColumn(dataset)).some(otherExchange(codes))
}

/** Rows whose code is of the exchange of its number, where it was asked for without one. */
export function ofOwnExchange(dataset: Dataset, codes: readonly string[] | undefined): Condition {
  const isOther = otherExchange(codes)
  return where(codeColumn(dataset), (word) => word !== null && !isOther(word))
}
