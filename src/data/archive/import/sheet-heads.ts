import type { Dataset } from '../../../contract/dataset.js'
import { chineseUnits } from '../../../contract/labels.js'
import type { SheetContent } from '../../../frame/table/spreadsheet.js'
import { presetsOf } from './find-preset.js'
import { headLines, isHead } from './head-names.js'
import type { ImportRemark } from './spelling.js'

type Rows = SheetContent['rows']

/** What a sheet has above its rows, as one head a column. */
export interface SheetHeads {
  readonly fields: string[]
  readonly rows: Rows
  readonly remarks: readonly ImportRemark[]
}

const unitWords = new Set(Object.entries(chineseUnits).flat())
const bare = (text: string): string => text.replace(/^[（(]|[)）]$/g, '').trim()

function textsOf(row: Rows[number] | undefined): string[] {
  return (row ?? []).map((cell) => (cell === null || cell === undefined ? '' : String(cell).trim()))
}

const isUnits = (texts: readonly string[]): boolean => {
  const filled = texts.filter((text) => text !== '' && text !== '-')
  return filled.length > 0 && filled.every((text) => unitWords.has(bare(text)))
}

function withUnits(names: readonly string[], units: readonly string[]): string[] {
  return names.map((name, at) =>
    unitWords.has(bare(units[at] ?? '')) ? `${name}（${bare(units[at] as string)}）` : name,
  )
}

/** A test for heads that mean something for a dataset. */
export function knownHeads(dataset: Dataset): (head: string) => boolean {
  const names = Object.keys({ ...dataset.columns, ...dataset.stored })
  const theirs = new Set(presetsOf(dataset).flatMap(({ columns }) => columns.flatMap(({ heads }) => heads)))
  return (head) => {
    const [{ name = head } = {}] = headLines(head)
    return names.includes(name) || theirs.has(name) || names.some((own) => isHead(dataset, own, name))
  }
}

/** Heads of two rows: a group above several names, a name over both rows, or a title above all. */
function joined(groups: readonly string[], names: readonly string[], isKnown: (head: string) => boolean): string[] {
  let group = ''
  return Array.from({ length: Math.max(groups.length, names.length) }, (_, at) => {
    group = groups[at] || group
    const name = names[at] ?? ''
    if (name === '') return groups[at] ?? ''
    return isKnown(`${group}${name}`) ? `${group}${name}` : name
  })
}

/**
 * The heads of a sheet, which may stand in two rows: names and their units, in either order, or groups and names. Which it is, is told by
 * what the dataset knows: the second row is a head where with it more names are known than with the first alone.
 */
export function headsOfSheet(all: Rows, dataset: Dataset): SheetHeads {
  const [first, second] = [textsOf(all[0]), textsOf(all[1])]
  const isKnown = knownHeads(dataset)
  const count = (heads: readonly string[]): number => heads.filter(isKnown).length
  const one = (fields: string[], skip: number, ...remarks: ImportRemark[]): SheetHeads => {
    while (fields.at(-1) === '') fields.pop()
    return { fields, rows: all.slice(skip), remarks }
  }
  if (isUnits(second)) return one(withUnits(first, second), 2, { about: 'heads', second: 'units' })
  if (isUnits(first)) return one(withUnits(second, first), 2, { about: 'heads', second: 'names' })
  const both = joined(first, second, isKnown)
  const isText = (all[1] ?? []).every((cell) => cell === null || typeof cell === 'string')
  if (isText && count(both) > Math.max(1, count(first))) return one(both, 2, { about: 'heads', second: 'names' })
  return one(first, 1)
}
