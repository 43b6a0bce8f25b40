import { dateIn } from '../../contract/date.js'
import type { Footer } from '../../table/parquet-file/footer.js'
import { cellOf } from '../../table/values.js'
import { boundsCheck } from './bounds.js'
import { type ColumnCells, cellCounts } from './cells.js'
import type { BatchDecoder, RowBatch } from './decode.js'
import type { Attempted, FileFacts, KeyFacts } from './facts.js'
import { type CellValue, type ValueIndex, valueIndex } from './interner.js'
import { repeatedNumbers, rowKeys } from './keys.js'
import { checkTimes, rowsFailing } from './times.js'
import { duplicateRows } from './twins.js'

interface KeyColumn {
  readonly name: string
  readonly interned: ValueIndex
  /** Why its cells are not known. */
  lack: string | undefined
}

const keyColumn = (name: string): KeyColumn => ({ name, interned: valueIndex(), lack: undefined })

function rowText(cells: readonly ColumnCells[], at: number): string {
  // Of a number that is none, JSON makes null.
  return JSON.stringify(
    cells.map(({ values }) => {
      const cell = values && cellOf(values, at)
      return typeof cell === 'number' && !Number.isFinite(cell) ? String(cell) : cell
    }),
  )
}

/** Looks at the rows of a file, piece by piece, and says what they are. */
export function inspectRows({ rows, rowGroups, columns }: Footer, day: string) {
  const [date, symbol, time] = [keyColumn('tradedate'), keyColumn('symbol'), keyColumn('time')] as const
  const keys = rowKeys(rows, symbol.interned, time.interned)
  const counts = cellCounts()
  const wrong: string[] = []
  let [checked, decoded] = [0, 0]
  let unseen: string | undefined

  const placesIn = (cells: readonly ColumnCells[], key: KeyColumn, row: number): Int32Array | undefined => {
    const found = cells.find(({ name }) => name === key.name)
    if (found?.values) return key.interned.take(found.values, row)
    key.lack ??= found ? `the cells of ${key.name} can not be looked at` : `there is no column ${key.name}`
    return undefined
  }

  const boundsOf = (group: number): Map<string, ReturnType<typeof boundsCheck>> => {
    const chunks = rowGroups[group]?.chunks ?? []
    return new Map(
      chunks.flatMap((chunk, at) => {
        const column = columns[at]
        const isOne = columns.filter(({ name }) => name === column?.name).length === 1
        return column && isOne ? [[column.name, boundsCheck(column, chunk, group + 1)] as const] : []
      }),
    )
  }

  const notMade = (...needed: readonly KeyColumn[]): { notMade: string } | undefined => {
    const lack = needed.find((key) => key.lack !== undefined)?.lack
    const why = unseen ?? (decoded === 0 ? 'there are no rows' : lack)
    return why === undefined ? undefined : { notMade: why }
  }

  const keyText = (row: number): string => {
    const parts = [date, symbol, time].flatMap(({ interned, lack }, at) => {
      const place = lack === undefined ? keys.placesOf(row)[at] : -1
      return place === undefined || place < 0 ? [] : [interned.words[place] as CellValue]
    })
    return parts.join(' ')
  }

  const takePiece = (piece: RowBatch, bounds: ReturnType<typeof boundsOf>): void => {
    decoded += piece.rows
    if (!piece.table) {
      unseen ??= `Arrow can not show its rows (${piece.why})`
      return
    }
    const cells = counts.take(piece.table)
    for (const { name, values, missing } of cells)
      if (values) bounds.get(name)?.take(values, missing)
      else bounds.delete(name)
    const dates = placesIn(cells, date, piece.row)
    const symbols = placesIn(cells, symbol, piece.row)
    const times = placesIn(cells, time, piece.row)
    if (symbols && times) keys.take({ date: dates, symbol: symbols, time: times })
  }

  /** Decodes once more the row groups that hold rows of one key. */
  const compare = async (
    numbers: Float64Array,
    decoder: BatchDecoder,
    tell: () => void,
  ): Promise<Pick<KeyFacts, 'repeated' | 'differing'>> => {
    const repeated = repeatedNumbers(numbers)
    const found = duplicateRows(keyText)
    let end = 0
    for (let group = 0; group < rowGroups.length; group++) {
      const begin = end
      end += rowGroups[group]?.rows ?? 0
      if (!numbers.subarray(begin, end).some((key) => repeated.has(key))) continue
      for await (const { table, row } of decoder.batches(group)) {
        tell()
        const cells = table ? cellCounts().take(table) : []
        for (let at = 0; at < (table?.numRows ?? 0); at++) {
          const key = numbers[row - 1 + at] as number
          if (repeated.has(key)) found.take(key, row + at, rowText(cells, at))
        }
      }
    }
    return found.facts()
  }

  return {
    /** @throws what the decoder throws */
    async takeGroup(group: number, decoder: BatchDecoder, tell: () => void): Promise<void> {
      const bounds = boundsOf(group)
      for await (const piece of decoder.batches(group)) {
        takePiece(piece, bounds)
        tell()
      }
      if (unseen !== undefined) return
      for (const bound of bounds.values()) {
        if (!bound.isMade()) continue
        checked++
        wrong.push(...(bound.wrong() ?? []))
      }
    },
    /** Some rows are not to be had. */
    lose(why: string): void {
      unseen ??= why
    },
    facts(): Pick<FileFacts, 'decoded' | 'columns' | 'bounds' | 'day' | 'time'> {
      const dayOf = (word: CellValue): string | undefined => dateIn(String(word))
      return {
        decoded,
        columns: counts.facts(),
        bounds: { wrong, checked },
        day: notMade(date) ?? { other: rowsFailing(date.interned, (word) => dayOf(word) === day) },
        time: notMade(time) ?? checkTimes(time.interned, day),
      }
    },
    async keyFacts(decoder: BatchDecoder, tell: () => void): Promise<Attempted<KeyFacts>> {
      const why = notMade(symbol, time)
      if (why) return why
      return {
        columns: [date, symbol, time].flatMap(({ name, lack }) => (lack === undefined ? [name] : [])),
        unsorted: keys.unsorted,
        byTime: keys.byTime,
        ...(await compare(keys.numbers(), decoder, tell)),
      }
    },
  }
}
