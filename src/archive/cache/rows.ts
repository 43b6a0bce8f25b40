import type { Dataset } from '../../contract/dataset.js'
import { codeMatcher, exchangeOf, parseCode } from '../../contract/symbol.js'
import { distinctValues } from '../../source/reply/reply-chunk.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../table/values.js'
import { type Condition, where } from '../answer/row-conditions.js'
import { type DayRanges, includes } from './day-ranges.js'
import type { KeepRule } from './rule.js'

/** The column that the codes of a query are matched with. */
export function codeColumn({ params }: Dataset): string | undefined {
  return params.symbols?.columns?.[0]
}

/** Rows of one scope. Candidates: those of a completed day, no forecasts. */
export function inScope({ stored, day }: Dataset, { scope: param }: KeepRule, scope: string): Condition[] {
  const own = param === undefined ? [] : [where(param, (word) => word === scope)]
  if (!stored?.computed_on) return own
  const isCompleted: Condition = (columns) => {
    const [of, from] = [day ?? '', 'computed_on'].map((name) => columns.columns.get(name) as ColumnData)
    return (row) => cellOf(of as ColumnData, row) === cellOf(from as ColumnData, row)
  }
  return [...own, isCompleted]
}

/** Rows of the dates. */
export function onDates({ day }: Dataset, dates: DayRanges): Condition {
  return where(day ?? '', (word) => word !== null && includes(dates, word))
}

/** Codes and the dates that are wanted of them. No two codes differ in nothing but the exchange. */
export interface Wanted {
  readonly codes: readonly string[] | undefined
  readonly dates: DayRanges
}

/** Dates by the digits of a code, and whether a row is of it. */
function byCode(
  wanted: readonly Wanted[],
): ReadonlyMap<string, { isOwn: (word: string) => boolean; dates: DayRanges }> {
  return new Map(
    wanted.flatMap(({ codes, dates }) =>
      (codes ?? []).map((code) => [parseCode(code).bare, { isOwn: codeMatcher([code]), dates }] as const),
    ),
  )
}

/** Rows of the wanted codes on the dates that are wanted of each. */
export function ofCodes(dataset: Dataset, wanted: readonly Wanted[]): Condition {
  const [first] = wanted
  if (first && first.codes === undefined) return onDates(dataset, first.dates)
  const known = byCode(wanted)
  return (columns) => {
    const values = columns.columns.get(codeColumn(dataset) ?? '')
    const days = columns.columns.get(dataset.day ?? '')
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

/** Codes with rows: of those asked for, and whether any row is of a code that was not asked for. */
export function answeredCodes(
  dataset: Dataset,
  columns: RecordColumns,
  codes: readonly string[],
): { readonly there: readonly string[]; readonly others: boolean } {
  const byBare = new Map(codes.map((code) => [parseCode(code).bare, code]))
  const there = new Set<string>()
  let others = false
  for (const word of distinctValues(columns, codeColumn(dataset) ?? '')) {
    const code = byBare.get(parseCode(word).bare)
    if (code !== undefined && codeMatcher([code])(word)) there.add(code)
    else others = true
  }
  return { there: [...there], others }
}

/** Tells of the code of a row that it is asked for without its exchange only, and not of the exchange of its number. */
function strangers(codes: readonly string[] | undefined): (word: string) => boolean {
  const bare = new Set((codes ?? []).filter((code) => parseCode(code).exchange === undefined))
  return (word) => {
    const code = parseCode(word)
    return bare.has(code.bare) && code.exchange !== undefined && exchangeOf(code.bare) !== code.exchange
  }
}

/** Whether a row may be of a code that the service does not mean: `000001` is Shenzhen's, and `000001.SH` has its digits. */
export function isAmbiguous(dataset: Dataset, columns: RecordColumns, codes: readonly string[] | undefined): boolean {
  return distinctValues(columns, codeColumn(dataset) ?? '').some(strangers(codes))
}

/** Rows that are not of a stranger. */
export function ofNoStranger(dataset: Dataset, codes: readonly string[] | undefined): Condition {
  const isStranger = strangers(codes)
  return where(codeColumn(dataset) ?? '', (word) => word !== null && !isStranger(word))
}
