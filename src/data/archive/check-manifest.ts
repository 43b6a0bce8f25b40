import { datasetOf, findDataset } from '../../contract/catalogue.js'
import { isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { allOf, sentence, type Words } from '../../contract/sentence.js'
import type {
  Covered,
  DatasetEntry,
  KeptEntry,
  Manifest,
  Observation,
  PartEntry,
  TickEntry,
  WaitingDay,
} from './manifest-entries.js'
import { dayColumn, storedKey } from './merge-rows.js'

/** Holds a value of the manifest at some place against what may stand there. */
type Rule = (value: unknown, at: string) => void

function wrong(value: unknown, at: Words, right: Words): never {
  const shown = JSON.stringify(value)?.slice(0, 80)
  throw new QuotebookError('ARCHIVE', sentence`${at} is ${shown}, where ${right} belongs`)
}

function text(pattern: RegExp, right: Words): Rule {
  return (value, at) => {
    if (typeof value !== 'string' || !pattern.test(value)) wrong(value, at, right)
  }
}

function count(least: number): Rule {
  return (value, at) => {
    if (!Number.isSafeInteger(value) || (value as number) < least)
      wrong(value, at, sentence`a whole number from ${least}`)
  }
}

function list(rule: Rule): Rule {
  return (value, at) => {
    if (!Array.isArray(value)) return wrong(value, at, sentence`a list`)
    for (const [i, one] of value.entries()) rule(one, `${at}[${i}]`)
  }
}

function entriesOf(value: unknown, at: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(value, at, sentence`an object`)
  return Object.entries(value)
}

function record(name: Rule, rule: Rule): Rule {
  return (value, at) => {
    for (const [key, one] of entriesOf(value, at)) {
      name(key, `a name in ${at}`)
      rule(one, `${at}.${key}`)
    }
  }
}

/** A rule for each field of a record; `name?` for one that may be absent. */
type Rules<T> = { readonly [K in keyof T & string as Record<never, never> extends Pick<T, K> ? `${K}?` : K]-?: Rule }

/** An object with these fields and no others. */
function fields<T>(rules: Rules<T>): Rule {
  const all = new Map(Object.entries<Rule>(rules).map(([name, rule]) => [name.replace('?', ''), rule]))
  const needed = Object.keys(rules).filter((name) => !name.endsWith('?'))
  return (value, at) => {
    for (const [name, one] of entriesOf(value, at)) {
      const rule = all.get(name) ?? wrong(name, sentence`a field of ${at}`, [...all.keys()].join(', '))
      rule(one, at === '' ? name : `${at}.${name}`)
    }
    for (const name of needed)
      if (!Object.hasOwn(value as object, name)) wrong(undefined, `${at}.${name}`, sentence`a value`)
  }
}

const anyText = text(/^/, sentence`a text`)
const anything: Rule = () => undefined
const sum = text(/^[0-9a-f]{64}$/, sentence`a sha256`)
const day: Rule = (value, at) => {
  if (typeof value !== 'string' || !isDate(value)) wrong(value, at, sentence`a date YYYYMMDD`)
}
const cell: Rule = (value, at) => {
  if (typeof value === 'object' && value !== null) wrong(value, at, sentence`a cell of a key`)
}
const yes: Rule = (value, at) => {
  if (value !== true) wrong(value, at, 'true')
}

/** Dates from one to another, ascending, apart. */
const spans: Rule = (value, at) => {
  list(list(day))(value, at)
  let before = ''
  for (const span of value as string[][]) {
    const [from = '', to = ''] = span
    if (span.length !== 2 || from > to || from <= before) wrong(value, at, sentence`spans of days, ascending and apart`)
    before = to
  }
}

const part = fields<PartEntry>({
  partition: text(/^[\w-]{1,40}$/, sentence`the name of a partition`),
  file: anyText,
  rows: count(1),
  bytes: count(1),
  sha256: sum,
  first: list(cell),
  last: list(cell),
  'from?': day,
  'to?': day,
  contract: text(/^\w+$/, sentence`the version of a declaration`),
  origin: list(anyText),
  'imports?': record(sum, count(1)),
})

const tick = fields<TickEntry>({
  day,
  file: anyText,
  rows: count(0),
  bytes: count(0),
  sha256: sum,
  'schema?': anyText,
  'rowGroups?': count(0),
  'from?': anyText,
  'to?': anyText,
  'etag?': anyText,
  'modified?': anyText,
})

const symbols: Rule = (value, at) => (value === 'all' ? undefined : list(anyText)(value, at))
const momentText = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/, sentence`a time of Beijing, ISO 8601`)
const datasetName = text(/^(?!ticks$|revisions$)\w{1,60}$/, sentence`the name of a dataset`)
const covered = fields<Covered>({ scope: anyText, symbols, days: spans, 'asked?': momentText, 'proof?': anyText })
const kept = fields<KeptEntry>({
  contract: anyText,
  from: list(anyText),
  rows: record(anyText, count(0)),
  'since?': day,
})
const observation = fields<Observation>({
  at: momentText,
  'settled?': momentText,
  'asked?': momentText,
  'again?': day,
  days: spans,
})
const waiting = fields<WaitingDay>({
  asked: day,
  rows: count(0),
  cells: count(0),
  'sum?': text(/^[0-9a-f]{16}$/, sentence`a checksum`),
})
const entry = fields<DatasetEntry>({
  parts: list(part),
  'beside?': record(anyText, anything),
  'partial?': yes,
  'covered?': list(covered),
  'latest?': record(anyText, day),
  'unsettled?': record(anyText, record(day, anyText)),
  'unproven?': record(anyText, spans),
  'kept?': kept,
  'seen?': record(anyText, list(observation)),
  'waiting?': record(anyText, record(day, waiting)),
  'revised?': list(part),
})
const manifest = fields<Omit<Manifest, 'unknown'>>({
  format: anything,
  'about?': anyText,
  'own?': list(anyText),
  datasets: record(datasetName, entry),
  ticks: list(tick),
})

/**
 * A range of days, both ends or none: inside the day or the month that a part is named by, and around the days of the keys
 * that it begins and ends with. Those are its ends where rows lie in the order of days.
 */
function checkRange(name: string, { partition, from, to, first, last }: PartEntry, at: string): void {
  if (from === undefined && to === undefined) return
  if (from === undefined || to === undefined || from > to) {
    wrong([from, to], at, sentence`a first and a last day`)
    return
  }
  const isNamedByDay = /^\d{6}(\d\d)?$/.test(partition)
  if (isNamedByDay && !(from.startsWith(partition) && to.startsWith(partition))) {
    wrong([from, to], at, sentence`a range inside ${partition}`)
  }
  const dataset = datasetOf(name)
  const column = storedKey(dataset).indexOf(dayColumn(dataset) ?? '')
  const days = [first[column], last[column]].filter((cell) => typeof cell === 'string' && isDate(cell)).sort()
  const isByDay = dataset.order[0]?.replace('-', '') === dayColumn(dataset) && dataset.stored?.period === undefined
  const isWrong = isByDay
    ? days[0] !== from || days[1] !== to
    : days.some((one) => String(one) < from || String(one) > to)
  if (days.length === 2 && isWrong) wrong([from, to], at, sentence`the range of its rows, which has ${allOf(days)}`)
}

function checkAscending(names: readonly string[], at: string, what: string): void {
  const odd = names.findIndex((name, i) => i > 0 && name <= (names[i - 1] as string))
  if (odd > 0) wrong(names[odd], `${at}[${odd}]`, sentence`another ${what}, each once and ascending,`)
}

/** The folder of rows that gave way to others. */
export const revisionsFolder = 'revisions'

/** Each partition once, its file under the name of it in a folder. */
function checkFiles(folder: string, parts: readonly PartEntry[], at: string): void {
  checkAscending(
    parts.map(({ partition }) => partition),
    at,
    'partition',
  )
  for (const [i, { file, partition }] of parts.entries()) {
    const ending = file.slice(`${folder}/${partition}.`.length)
    if (file !== `${folder}/${partition}.${ending}` || !/^[0-9a-f]{12}\.parquet$/.test(ending)) {
      wrong(file, `${at}[${i}].file`, sentence`${folder}/${partition}.(12 hexadecimal digits).parquet`)
    }
  }
}

function checkDataset(
  name: string,
  { parts, latest, unsettled, unproven, kept, revised = [] }: DatasetEntry,
  isCurrent: IsCurrent,
): void {
  const at = `datasets.${name}.parts`
  checkFiles(name, parts, at)
  for (const [i, one] of parts.entries()) if (isCurrent(name, one)) checkRange(name, one, `${at}[${i}]`)
  checkFiles(`${revisionsFolder}/${name}`, revised, `datasets.${name}.revised`)
  if (!kept && (latest || unsettled || unproven))
    wrong(undefined, `datasets.${name}.kept`, sentence`what its latest day rests on`)
}

/** Whether a part was written under the present declaration of its dataset: under another one its key is another. */
type IsCurrent = (name: string, part: PartEntry) => boolean

/**
 * Holds a manifest against what a manifest can be: every field, and what they say together. Paths are plain names in the
 * folder of their dataset, each file once.
 * @throws QuotebookError ARCHIVE with the place in the document
 */
export function checkManifest(value: unknown, isCurrent: IsCurrent): Manifest {
  manifest(value, '')
  const { datasets, ticks } = value as Manifest
  const entries = Object.entries(datasets)
  for (const [name, entry] of entries) checkDataset(name, entry, isCurrent)
  checkAscending(
    ticks.map(({ day }) => day),
    'ticks',
    'day',
  )
  for (const [i, { day, file }] of ticks.entries()) {
    const isOwn = file.startsWith(`ticks/${day}_aucde.`) && /^(parquet|[0-9a-f]{12}\.parquet)$/.test(file.slice(21))
    if (!isOwn) wrong(file, `ticks[${i}].file`, sentence`the name of a file of ${day} in ticks/`)
  }
  const isKnown = ([name]: (typeof entries)[number]): boolean => findDataset(name) !== undefined
  const unknown = entries.filter((one) => !isKnown(one))
  return {
    ...(value as Manifest),
    datasets: Object.fromEntries(entries.filter(isKnown)),
    ...(unknown.length > 0 && { unknown: Object.fromEntries(unknown) }),
  }
}
