import type { Column } from '../../../contract/column.js'
import { columnTitle } from '../../../contract/column-titles.js'
import type { Dataset } from '../../../contract/dataset.js'
import { ImportError, messageOf } from '../../../contract/error.js'
import { headWords } from '../../../contract/head-words.js'
import { chineseUnits } from '../../../contract/labels.js'
import { unknownName } from '../../../contract/nearest.js'
import { anyOf, sentence } from '../../../contract/sentence.js'

type Rename = Readonly<Record<string, string>>
type Columns = Readonly<Record<string, Column>>

/** A line of a head: `成交额（元）` is the name 成交额 in 元. */
export interface HeadLine {
  readonly text: string
  readonly name: string
  readonly unit: string | undefined
}

export function headLines(head: string): HeadLine[] {
  return head
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((text) => {
      const [, name = text, unit] = /^(.*?)\s*[（(]([^（()）]*)[)）]$/.exec(text) ?? []
      return { text, name, unit: unit?.trim() }
    })
}

/** `收盘` is what the titles call it, and `收盘价` what people do. */
export function isTitle(name: string, text: string): boolean {
  const title = columnTitle(name)
  return title !== undefined && (title === text || `${title}价` === text)
}

/** Heads of a column of a dataset, the likeliest first: of one's own also what it is called in Chinese there, and what terminals and people call it. */
function headsOf({ own }: Dataset, name: string): readonly string[] {
  const title = own?.chinese?.columns?.[name]
  const titles = title === undefined ? [] : headLines(title).flatMap((line) => [line.text, line.name])
  return [...titles, ...headWords(name)]
}

/** Whether a head, without its unit, is one of a column. */
export function isHead(dataset: Dataset, name: string, text: string): boolean {
  return dataset.own ? headsOf(dataset, name).includes(text) : isTitle(name, text)
}

/** Whether a unit is one of the contract, in its own word or the Chinese one. */
export function isUnit(given: string, unit: string): boolean {
  return given === unit || given === chineseUnits[unit]
}

/** A head in another unit would give numbers that look right. @throws ImportError */
function checkUnit(file: string, head: string, lines: readonly HeadLine[], name: string, dataset: Dataset): void {
  const { unit } = { ...dataset.columns, ...dataset.stored }[name] ?? {}
  for (const line of lines) {
    const isOfName = line.name === name || isHead(dataset, name, line.name)
    if (!isOfName || line.unit === undefined || unit === undefined) continue
    if (isUnit(line.unit, unit)) continue
    const wrong = sentence`the head ${JSON.stringify(head)} is in ${line.unit}, and ${name} is in ${unit}`
    throw new ImportError(file, sentence`${wrong}; convert it, or say with --rename that it is`, { field: name })
  }
}

/** The columns that a title may stand for, without those that the file has by name. Of one's own, those of whose heads it is the first that the file has. */
function titled(dataset: Dataset, lines: readonly HeadLine[], heads: ReadonlySet<string>): string[] {
  const isOne = (name: string): boolean => {
    if (!dataset.own) return lines.some((line) => isTitle(name, line.name) || isTitle(name, line.text))
    const first = headsOf(dataset, name).find((word) => heads.has(word))
    return lines.some((line) => line.name === first || line.text === first)
  }
  return Object.keys({ ...dataset.columns, ...dataset.stored }).filter((name) => !heads.has(name) && isOne(name))
}

function checkRename(file: string, dataset: string, columns: Columns, rename: Rename, heads: readonly string[]): void {
  const parts = new Set(heads.flatMap((head) => [head, ...headLines(head).flatMap(({ text, name }) => [text, name])]))
  for (const [from, to] of Object.entries(rename)) {
    if (!parts.has(from))
      throw new ImportError(file, sentence`has no column '${from}' to rename; it has ${heads.join(', ')}`)
    if (!Object.hasOwn(columns, to))
      throw new ImportError(file, messageOf(unknownName('rename', to, Object.keys(columns), 'column', dataset)))
  }
}

/** Names that a file may have → names of the contract: its own, and those given. */
function knownNames(columns: Columns, rename: Rename): Map<string, string> {
  const names = new Map(Object.keys(columns).map((name) => [name, name]))
  for (const [from, to] of Object.entries(rename)) names.set(from, to)
  return names
}

/**
 * The heads of a file as names of the contract; any other head as it is. Known are the contract's own names, those of a table of
 * another program, and Chinese titles, with a unit in brackets, as `toXlsx` writes them.
 * @throws ImportError to rename what is not there, for a title of several columns, and for a head in another unit
 */
export function namesOfHeads(
  file: string,
  dataset: Dataset,
  rename: Rename,
  heads: readonly string[],
  known?: ReadonlyMap<string, { readonly to?: string }>,
): readonly string[] {
  const columns: Columns = { ...dataset.columns, ...dataset.stored }
  checkRename(file, dataset.name, columns, rename, heads)
  const spelled = new Set(heads.flatMap((head) => headLines(head).flatMap(({ text, name }) => [text, name])))
  const names = knownNames(columns, rename)
  return heads.map((head) => {
    const preset = known?.get(head)
    if (preset) return preset.to ?? `${head} there`
    const lines = headLines(head)
    const by = [head, ...lines.map(({ text }) => text), ...lines.map(({ name }) => name)].find((text) =>
      names.has(text),
    )
    if (by !== undefined) {
      const name = names.get(by) as string
      if (!Object.hasOwn(rename, by)) checkUnit(file, head, lines, name, dataset)
      return name
    }
    const [only, ...more] = titled(dataset, lines, spelled)
    if (only === undefined) return head
    if (more.length > 0) {
      const list = anyOf([only, ...more])
      throw new ImportError(file, sentence`the head '${head}' may be ${list}; say which with --rename ${head}=${only}`)
    }
    checkUnit(file, head, lines, only, dataset)
    return only
  })
}
