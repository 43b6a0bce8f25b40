import { dateIn } from '../../../contract/date.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import type { Footer, FooterChunk } from '../../../frame/table/parquet-file/footer.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../frame/table/values.js'
import { countOf, fault, faultIf, noteIf, type Outcome, type Outcomes, rowsFault } from './check-outcomes.js'
import { checkKeys, checkNulls, checkOrder, checkTimes, type KeyColumn, keyColumn, rowsFailing } from './row-keys.js'

const cellChecks = ['bounds', 'day', 'time', 'null', 'number', 'order', 'duplicate'] as const

/** The checks of cells, where the cells are not known. */
export function unmadeChecks(notMade: Words): Outcomes {
  return Object.fromEntries(cellChecks.map((check) => [check, { notMade }]))
}

/** The checks of the cells of a file that was decoded. */
export function checkCells(cells: RecordColumns, footer: Footer, day: string): Outcomes {
  if (cells.length === 0) return unmadeChecks(sentence`there are no rows`)
  const keys = ['tradedate', 'symbol', 'time'].flatMap((name) => {
    const values = cells.columns.get(name)
    return values ? [keyColumn(name, values)] : []
  })
  /** What a check comes to that takes columns of the key. */
  const take = (names: readonly string[], check: (...columns: KeyColumn[]) => Outcome): Outcome => {
    const lacking = names.find((name) => !cells.columns.has(name))
    if (lacking !== undefined) return { notMade: sentence`there is no column ${lacking}` }
    return check(...names.map((name) => keys.find((key) => key.name === name) as KeyColumn))
  }
  const time = take(['time'], (column) => checkTimes(column, day))
  return {
    bounds: checkBounds(cells, footer),
    day: take(['tradedate'], (column) =>
      rowsFault(
        rowsFailing(column, (value) => dateIn(String(value)) === day),
        sentence`tradedate is another day in`,
      ),
    ),
    time,
    null:
      checkNulls(keys, [...cells.columns.keys()]) ?? take(['symbol', 'time'], () => ('notMade' in time ? time : [])),
    number: checkNumbers(cells),
    order: take(['symbol', 'time'], checkOrder),
    duplicate: take(['symbol', 'time'], () => checkKeys(keys, cells)),
  }
}

/** Cells that are missing in the rows from one to below another. */
function missingIn(values: ColumnData, from: number, to: number): number {
  if ('valid' in values && values.valid === null) return 0
  let missing = 0
  for (let row = from; row < to; row++) missing += Number(cellOf(values, row) === null)
  return missing
}

function checkNumbers({ columns }: RecordColumns): Outcome {
  return [...columns].flatMap(([name, values]) => {
    if (values.type !== 'float') return []
    const { data, valid } = values
    let [nan, infinite] = [0, 0]
    for (let row = 0; row < data.length; row++) {
      const value = data[row] as number
      if (Number.isFinite(value) || (valid !== null && valid[row] === 0)) continue
      if (Number.isNaN(value)) nan++
      else infinite++
    }
    return [
      ...faultIf(infinite, sentence`${name} is infinite in ${countOf(infinite, 'row')}`),
      ...noteIf(nan, sentence`${name} is NaN in ${countOf(nan, 'row')}; they read as missing`),
    ]
  })
}

/** Types whose bounds can be compared with cells as they are. */
const plain = /^(int(8|16|32|64)|float|double|string)$/

type Bound = number | bigint | string

function isBound(bound: unknown): bound is Bound {
  if (typeof bound === 'string') return !bound.includes('\uFFFD')
  return typeof bound === 'bigint' || (typeof bound === 'number' && !Number.isNaN(bound))
}

/** Parquet orders text by its bytes, JavaScript by its halves of characters: text is out of order if both say so. */
function isBelow(a: Bound, b: Bound): boolean {
  return a < b && (typeof a !== 'string' || Buffer.compare(Buffer.from(a), Buffer.from(String(b))) < 0)
}

/** The least and greatest cell of the rows from one to below another; undefined where none has an order. */
function rangeOf(
  values: ColumnData,
  from: number,
  to: number,
): readonly [number | string, number | string] | undefined {
  let range: [number | string, number | string] | undefined
  const widen = (cell: unknown): void => {
    if ((typeof cell !== 'number' && typeof cell !== 'string') || Number.isNaN(cell)) return
    range ??= [cell, cell]
    if (cell < range[0]) range[0] = cell
    if (cell > range[1]) range[1] = cell
  }
  if (values.type === 'dictionary') {
    const isUsed = new Uint8Array(values.dictionary.length)
    for (let row = from; row < to; row++) isUsed[values.data[row] as number] = 1
    for (const [code, word] of values.dictionary.entries()) if (isUsed[code]) widen(word)
  } else for (let row = from; row < to; row++) widen(cellOf(values, row))
  return range
}

/** What the footer says of the cells of a chunk, compared with them; undefined where it says nothing that can be. */
function boundsOf(values: ColumnData, from: number, to: number, type: string, chunk: FooterChunk): Words | undefined {
  const { min, max, nulls } = chunk
  const range = plain.test(type) && (isBound(min) || isBound(max)) ? rangeOf(values, from, to) : undefined
  if (!range && nulls === undefined) return undefined
  const [least, greatest] = range ?? []
  const isLike = (bound: unknown): bound is Bound =>
    isBound(bound) && (typeof bound === 'string') === (typeof least === 'string')
  if (least !== undefined && isLike(min) && isBelow(least, min))
    return sentence`holds ${JSON.stringify(least)}, its footer says from ${String(min)}`
  if (greatest !== undefined && isLike(max) && isBelow(max, greatest))
    return sentence`holds ${JSON.stringify(greatest)}, its footer says up to ${String(max)}`
  const missing = missingIn(values, from, to)
  return nulls === undefined || nulls === missing ? '' : sentence`has ${missing} nulls, its footer says ${nulls}`
}

/** A reader that skips row groups believes what the footer says of their cells. */
function checkBounds(cells: RecordColumns, { columns, rowGroups }: Footer): Outcome {
  const wrong: Words[] = []
  let [made, end] = [0, 0]
  for (const [group, { rows, chunks }] of rowGroups.entries()) {
    const from = end
    end += rows
    for (const [at, chunk] of chunks.entries()) {
      // Parts of a nested column have paths for names.
      const values = cells.columns.get(chunk.column)
      const found = values && boundsOf(values, from, end, columns[at]?.type ?? '', chunk)
      if (found === undefined) continue
      made++
      if (`${found}` !== '') wrong.push(sentence`${chunk.column} in row group ${group + 1} ${found}`)
    }
  }
  const [first, ...others] = wrong
  if (first !== undefined) return [fault(others.length > 0 ? sentence`${first}, and ${others.length} more` : first)]
  return made === 0 ? { notMade: sentence`its footer tells none that can be compared with cells` } : []
}
