import type { Table } from 'apache-arrow'
import { type DatasetName, ownDatasets } from '../../contract/catalogue.js'
import type { Column } from '../../contract/column.js'
import type { ColumnLaw, Dataset } from '../../contract/dataset.js'
import { lawColumns, priceOrder } from '../../contract/row-laws.js'
import { dictionary, has, numbersToRead } from '../../frame/read-columns.js'
import { type Check, fails, passes } from './check.js'
import { type CheckColumns, labelColumn, numberColumn } from './check-columns.js'
import { exactDifference } from './exact/decimal.js'
import {
  brokenLaws,
  type CellsOf,
  cellsByRow,
  duplicate,
  type Law,
  mismatch,
  repeatedKeys,
  rowCheck,
} from './row-findings.js'

type Verdict = 'pass' | 'duplicate' | 'mismatch'
type Cells = CellsOf<never, never>

const holds: Readonly<Record<ColumnLaw['sign'], (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}

/** The laws that are declared, and those that follow from names and units: of prices. */
function lawsOf(dataset: Dataset): readonly ColumnLaw[] {
  const { price, range } = lawColumns(dataset)
  const ordered = range.length > 0 ? priceOrder : []
  return [
    ...price.map((left): ColumnLaw => ({ text: `${left} > 0`, left, sign: '>', right: 0 })),
    ...ordered.map(([left, right]): ColumnLaw => ({ text: `${left} <= ${right}`, left, sign: '<=', right })),
    ...(dataset.laws ?? []),
  ]
}

function lawOf({ text, left, sign, right }: ColumnLaw): Law<Cells, 'mismatch'> {
  return {
    rule: text,
    verdict: 'mismatch',
    broken: (one) => {
      const cell = (name: string): number => Number((one as Readonly<Record<string, unknown>>)[name])
      const [a, b] = [cell(left), typeof right === 'number' ? right : cell(right)]
      if (Number.isNaN(a) || Number.isNaN(b) || holds[sign](a, b)) return undefined
      return { why: `${text}: ${a} and ${b}, ${exactDifference(a, b)} apart`, given: a, due: b }
    },
  }
}

function readLaws(dataset: Dataset, table: Table) {
  const { columns, key } = dataset
  const isText = (name: string): boolean => !/^(number|integer|long|boolean)$/.test(columns[name]?.kind ?? '')
  const laws = lawsOf(dataset)
  const compared = laws.flatMap(({ left, right }) => (typeof right === 'number' ? [left] : [left, right]))
  const numeric = [...new Set([...compared, ...key.filter((name) => !isText(name))])].filter((name) => has(table, name))
  const rows: readonly Cells[] = cellsByRow(table, numeric, key.filter(isText))
  const there = laws.filter(({ left, right }) =>
    [left, right].every((one) => typeof one === 'number' || has(table, one)),
  )
  const repeated = repeatedKeys(rows, (one) =>
    key.map((name) => String((one as Readonly<Record<string, unknown>>)[name])).join('\n'),
  )
  const about: CheckColumns = Object.fromEntries(
    key.map((name) => {
      const { unit, meaning = '' }: Partial<Column> = columns[name] ?? {}
      return [
        name,
        isText(name)
          ? labelColumn('label', meaning, dictionary(table, name))
          : numberColumn(unit, meaning, numbersToRead(table, name).slice()),
      ]
    }),
  )
  function* findings() {
    for (const row of repeated) yield duplicate(row, 'key', `an earlier row has the key ${key.join(', ')} too`)
    for (const one of brokenLaws(there.map(lawOf), rows)) yield mismatch(one.row, one.rule, one.why, one.given, one.due)
  }
  return { findings: findings(), columns: about, compares: there.length > 0 }
}

/** A check for each dataset of one's own: cells as they are declared, keys that are unique, and its laws. */
export function ownChecks(): readonly Check[] {
  return ownDatasets().map((dataset) =>
    rowCheck<Verdict>({
      name: dataset.name,
      summary: `${dataset.title}: cells, keys and laws as declared`,
      chinese: `${dataset.chinese?.title ?? dataset.title}：各列、主键与声明的规则`,
      dataset: dataset.name as DatasetName,
      rule: `Of each row: ${['cells as declared', 'a key of its own', ...lawsOf(dataset).map(({ text }) => text)].join('; ')}.`,
      verdicts: {
        pass: passes('it keeps every law'),
        duplicate: fails('an earlier row has its key'),
        mismatch: fails('it breaks a law, or has a cell that the declaration forbids'),
      },
      confirmedAs: 'within their laws',
      partial: true,
      read: (table) => readLaws(dataset, table),
    }),
  )
}
