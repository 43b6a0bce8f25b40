import type { Table } from 'apache-arrow'
import type { TickEntry } from '../../archive/manifest.js'
import type { Column } from '../../contract/column.js'
import { toTable } from '../../table/arrow.js'
import type { FooterColumn } from '../../table/parquet-file/footer.js'
import type { ColumnData } from '../../table/values.js'
import type { ExpectedDays, expectedDays } from './expected-days.js'
import type { Attempted, FileFacts, KeyFacts, RowCount } from './file-facts.js'
import type { ExpectedFile, TickFolder } from './tick-folder.js'

/** What is looked at, in the order in which findings are told. */
const tickChecks = {
  file: 'the file is there and can be read',
  name: 'its name says a day',
  size: "its size is the manifest's",
  sha256: "its checksum is the manifest's",
  magic: 'it begins and ends as Parquet',
  footer: 'its footer is whole and fits the file',
  decode: 'every row group can be decoded',
  crc: 'its pages are what their checksums say',
  rows: 'its rows are as many as are counted',
  bounds: 'its cells lie within the bounds that its footer tells',
  day: 'tradedate is the day of its name',
  time: 'times are times',
  null: 'no part of the key is missing',
  number: 'numbers are numbers',
  order: 'rows are sorted by (symbol, time)',
  duplicate: 'no key stands twice',
  schema: 'columns stay the same over time',
  missing: 'every trading day has a file',
  unlisted: 'nothing else lies there',
  leftover: 'no download has left anything behind',
} as const

type TickCheckName = keyof typeof tickChecks

export interface TickFinding {
  /** `YYYYMMDD`; null for what is of no one day. */
  readonly day: string | null
  /** Path below the folder; null for what is of no one file. */
  readonly file: string | null
  readonly check: TickCheckName
  /** `fault`: something is wrong. `note`: worth knowing. */
  readonly severity: 'fault' | 'note'
  readonly what: string
}

/** Whether a check was made of a file; of the whole folder where there is none. */
interface CheckMark {
  readonly check: TickCheckName
  /** Why it was not made; undefined when it was. */
  readonly notMade: string | undefined
}

interface CheckResults {
  readonly findings: readonly TickFinding[]
  readonly marks: readonly CheckMark[]
}

/** What became of a file: what was found out, and why the reading ended before its end. */
export interface InspectedFile extends ExpectedFile {
  readonly facts: FileFacts
  readonly failure: string | undefined
}

interface Book {
  fault(check: TickCheckName, what: string): void
  note(check: TickCheckName, what: string): void
  made(check: TickCheckName): void
  notMade(check: TickCheckName, why: string): void
}

const some = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

function judgeBytes({ facts, entry, failure }: InspectedFile, book: Book): void {
  const { bytes, sha256, magic } = facts
  if (bytes === undefined || sha256 === undefined || magic === undefined) {
    book.fault('file', failure ?? 'it was not read')
    return
  }
  book.made('file')
  const noEntry = 'there is no manifest'
  const compare = (check: 'size' | 'sha256', of: (entry: TickEntry) => string, found: string): void => {
    if (!entry) book.notMade(check, noEntry)
    else if (of(entry) === found) book.made(check)
    else book.fault(check, `it is ${found}, the manifest says ${of(entry)}`)
  }
  compare('size', (entry) => some(entry.bytes, 'byte'), some(bytes, 'byte'))
  compare('sha256', (entry) => entry.sha256, sha256)
  const cut = magic.head && !magic.tail ? '; it may be cut, or still being written' : ''
  if (magic.head && magic.tail) book.made('magic')
  else book.fault('magic', `it does not ${magic.head ? 'end' : 'begin'} with PAR1${cut}`)
}

/** Whether there is a footer to go by. */
function judgeFooter({ facts, failure }: InspectedFile, book: Book): boolean {
  const { footer, pages } = facts
  if (footer !== null || !pages) {
    book.fault('footer', footer ?? failure ?? 'it was not read')
    return false
  }
  book.made('footer')
  if (pages.wrong > 0) {
    const more = pages.wrong > 1 ? ` and ${pages.wrong - 1} more` : ''
    book.fault('crc', `${pages.first}${more} is not what its checksum says`)
  } else if (pages.lost !== undefined) book.note('crc', `its pages can not be followed: ${pages.lost}`)
  else if (pages.checked < pages.pages || pages.pages === 0) book.notMade('crc', 'its pages carry no checksums')
  else book.made('crc')
  return true
}

function judgeDecoded({ facts, failure }: InspectedFile, book: Book): boolean {
  const { broken, at = 0, groups = 0 } = facts
  if (broken === undefined) {
    const where = at > 0 ? `row group ${at} of ${groups}: ` : ''
    book.fault('decode', `${where}${failure ?? 'it was not decoded'}`)
    return false
  }
  if (broken.groups === 0) book.made('decode')
  else book.fault('decode', `${broken.groups} of ${some(groups, 'row group')} can not be decoded; ${broken.first}`)
  return true
}

function judgeRows({ facts, entry }: InspectedFile, book: Book): void {
  const { counted = 0, decoded = 0, broken, bounds } = facts
  if (entry && entry.rows !== counted)
    book.fault('rows', `it counts ${some(counted, 'row')}, the manifest ${entry.rows}`)
  else if (broken?.groups === 0 && counted !== decoded)
    book.fault('rows', `it counts ${some(counted, 'row')} and holds ${decoded}`)
  else if (broken?.groups !== 0) book.notMade('rows', 'not all row groups can be decoded')
  else if (counted === 0) book.fault('rows', 'it has no rows')
  else book.made('rows')
  const [wrong] = bounds?.wrong ?? []
  if (wrong !== undefined) {
    const more = (bounds?.wrong.length ?? 0) - 1
    book.fault('bounds', `${wrong}${more > 0 ? `, and ${more} more` : ''}`)
  } else if (!bounds?.checked) book.notMade('bounds', 'its footer tells none that can be held against cells')
  else book.made('bounds')
}

function outcome<T>(
  book: Book,
  check: TickCheckName,
  found: Attempted<T> | undefined,
  tell: (facts: T) => boolean,
): void {
  if (!found) book.notMade(check, 'its reader did not come so far')
  else if (typeof found === 'object' && found !== null && 'notMade' in found) book.notMade(check, found.notMade)
  else if (tell(found as T)) book.made(check)
}

const many = ({ rows, first }: RowCount): string => `${some(rows, 'row')}, the first: ${first}`

function judgeKey(key: Attempted<KeyFacts> | undefined, book: Book): void {
  outcome(book, 'order', key, ({ unsorted, byTime }) => {
    if (unsorted === undefined) return true
    const other = byTime ? '; they are sorted by (time, symbol)' : ''
    book.note('order', `row ${unsorted} is not in the order of (symbol, time)${other}`)
    return false
  })
  outcome(book, 'duplicate', key, ({ columns, repeated, differing }) => {
    const of = `(${columns.join(', ')})`
    if (repeated) book.fault('duplicate', `rows that stand before, equal in all columns: ${many(repeated)}`)
    if (differing)
      book.fault('duplicate', `rows with a key ${of} that stands before, and other cells: ${many(differing)}`)
    return !repeated && !differing
  })
}

const keyColumns = ['tradedate', 'symbol', 'time']

function judgeCells({ columns = [], key, time }: FileFacts, book: Book): void {
  const unread = columns.find((column) => column.unread !== undefined)
  const why = columns.length === 0 ? 'there are no rows to look at' : undefined
  const lack = unread && `the cells of ${unread.name} (${unread.type}) can not be looked at: ${unread.unread}`
  const missing = columns.filter(({ name, nulls }) => keyColumns.includes(name) && nulls > 0)
  for (const { name, nulls } of missing) book.fault('null', `${name} is missing in ${some(nulls, 'row')}`)
  const noKey = [key, time].find((found) => found !== undefined && 'notMade' in found) as
    | { notMade: string }
    | undefined
  if (why ?? noKey) book.notMade('null', why ?? noKey?.notMade ?? '')
  else if (missing.length === 0) book.made('null')
  const odd = columns.filter(({ nan, infinite }) => nan + infinite > 0)
  for (const { name, nan, infinite } of odd) {
    if (infinite > 0) book.fault('number', `${name} is infinite in ${some(infinite, 'row')}`)
    if (nan > 0) book.note('number', `${name} is NaN in ${some(nan, 'row')}; they read as missing`)
  }
  if (lack !== undefined) book.fault('decode', lack)
  if (why ?? lack) book.notMade('number', why ?? lack ?? '')
  else if (odd.length === 0) book.made('number')
}

function judgeContent(looked: InspectedFile, book: Book): void {
  const { facts } = looked
  judgeRows(looked, book)
  outcome(book, 'day', facts.day, ({ other }) => {
    if (other) book.fault('day', `tradedate is another day in ${many(other)}`)
    return !other
  })
  outcome(book, 'time', facts.time, ({ forms, wrong, elsewhere }) => {
    if (wrong) book.fault('time', `time is no time in ${many(wrong)}`)
    if (elsewhere) book.fault('time', `time is of another day in ${many(elsewhere)}`)
    if (forms.length > 1) book.note('time', `times are written in ${forms.length} ways: ${forms.join(', ')}`)
    return !wrong && !elsewhere
  })
  judgeCells(facts, book)
  judgeKey(facts.key, book)
}

const afterBytes = ['size', 'sha256', 'magic', 'footer'] as const
const afterFooter = ['crc', 'decode'] as const
const afterDecode = ['rows', 'bounds', 'day', 'time', 'null', 'number', 'order', 'duplicate'] as const

/** What is wrong with a file, and what was not looked at and why. Schemas are compared elsewhere. */
export function checkFile(looked: InspectedFile): CheckResults {
  const findings: TickFinding[] = []
  const marks = new Map<TickCheckName, CheckMark>()
  const { day, file, facts, failure } = looked
  const found = (severity: TickFinding['severity']) => (check: TickCheckName, what: string) => {
    findings.push({ day, file, check, severity, what })
    marks.set(check, { check, notMade: undefined })
  }
  const book: Book = {
    fault: found('fault'),
    note: found('note'),
    made: (check) => void marks.set(check, { check, notMade: undefined }),
    notMade: (check, why) => void (marks.has(check) || marks.set(check, { check, notMade: why })),
  }
  const none = (names: readonly TickCheckName[], why: string): void => {
    for (const check of names) book.notMade(check, why)
  }
  judgeBytes(looked, book)
  if (facts.magic && judgeFooter(looked, book)) {
    if (judgeDecoded(looked, book)) judgeContent(looked, book)
    if (facts.broken !== undefined && failure !== undefined) book.fault('decode', failure)
  }
  none(afterBytes, 'the file can not be read')
  if (facts.footer !== null) none([...afterFooter, ...afterDecode], 'its footer can not be read')
  none(afterDecode, 'it can not be decoded')
  return { findings, marks: [...marks.values()] }
}

type Schema = readonly FooterColumn[]

function list(columns: Schema): string {
  return columns.map(({ name, type }) => `${name} (${type})`).join(', ')
}

/** What came, went, changed its type or its place. */
function changes(before: Schema, after: Schema): { readonly faults: string[]; readonly notes: string[] } {
  const [old, fresh] = [before, after].map((schema) => new Map(schema.map(({ name, type }) => [name, type]))) as [
    Map<string, string>,
    Map<string, string>,
  ]
  const notes: string[] = []
  const came = after.filter(({ name }) => !old.has(name))
  const went = before.filter(({ name }) => !fresh.has(name))
  if (came.length > 0) notes.push(`there is, and was not: ${list(came)}`)
  if (went.length > 0) notes.push(`there was, and is not: ${list(went)}`)
  const common = (schema: Schema): string[] =>
    schema.map(({ name }) => name).filter((name) => old.has(name) && fresh.has(name))
  if (common(before).join() !== common(after).join()) notes.push('the columns stand in another order')
  const turned = after.filter(({ name, type }) => old.has(name) && old.get(name) !== type)
  const faults = turned.map(({ name, type }) => `${name} was ${old.get(name)} and is ${type}`)
  return { faults, notes }
}

/** Compares the columns of each file with those of the file before, by day. */
function checkSchemas(looked: readonly InspectedFile[]): CheckResults {
  const findings: TickFinding[] = []
  const marks: CheckMark[] = []
  let before: { readonly day: string; readonly schema: Schema } | undefined
  for (const { day, file, facts } of looked) {
    const { schema } = facts
    marks.push({ check: 'schema', notMade: schema ? undefined : 'its footer can not be read' })
    if (!schema) continue
    const twice = schema.find(({ name }, at) => schema.findIndex((other) => other.name === name) !== at)
    if (twice) {
      findings.push({ day, file, check: 'schema', severity: 'fault', what: `there are two columns ${twice.name}` })
      continue
    }
    const { faults, notes } = before ? changes(before.schema, schema) : { faults: [], notes: [] }
    const since = `against ${before?.day}: `
    for (const what of faults) findings.push({ day, file, check: 'schema', severity: 'fault', what: since + what })
    for (const what of notes) findings.push({ day, file, check: 'schema', severity: 'note', what: since + what })
    before = { day, schema }
  }
  return { findings, marks }
}

type Days = Awaited<ReturnType<typeof expectedDays>>

/** Days without a file, each told once, by all who know of it. */
function judgeDays({ expected, notMade }: Days, held: ReadonlySet<string>): CheckResults {
  const absent = new Map<string, ExpectedDays[]>()
  for (const one of expected)
    for (const day of one.days) if (!held.has(day)) absent.set(day, [...(absent.get(day) ?? []), one])
  const findings = [...absent].map(([day, known]): TickFinding => {
    const severity = known.some(({ isSure }) => isSure) ? 'fault' : 'note'
    const by = known.map(({ by }) => by).join(', ')
    return { day, file: null, check: 'missing', severity, what: `there is no file of this trading day (${by})` }
  })
  const known = new Set(expected.flatMap(({ days }) => days))
  const odd = known.size > 0 && notMade.length === 0 ? [...held].filter((day) => !known.has(day)) : []
  const extra = odd.map((day): TickFinding => {
    const by = expected.map(({ by }) => by).join(', ')
    return {
      day,
      file: null,
      check: 'missing',
      severity: 'note',
      what: `there is a file of a day that is no trading day (${by})`,
    }
  })
  const marks: CheckMark[] = known.size > 0 ? [{ check: 'missing', notMade: undefined }] : []
  return {
    findings: [...findings, ...extra],
    marks: [...marks, ...notMade.map((why) => ({ check: 'missing' as const, notMade: why }))],
  }
}

function judgeNames({ undated, unlisted, leftovers, isArchive }: TickFolder): CheckResults {
  const findings: TickFinding[] = []
  const of = (check: TickCheckName, severity: TickFinding['severity'], what: string) => (file: string) =>
    findings.push({ day: null, file, check, severity, what })
  undated.forEach(of('name', 'fault', 'the day in its name is none'))
  unlisted.forEach(
    of('unlisted', 'note', isArchive ? 'the manifest does not name it; nobody reads it' : 'it is no tick file'),
  )
  leftovers.forEach(of('leftover', 'note', 'a download has left it behind, or is under way'))
  const marks = (['name', 'unlisted', 'leftover'] as const).map((check): CheckMark => ({ check, notMade: undefined }))
  return { findings, marks }
}

const rank = new Map(Object.keys(tickChecks).map((check, at) => [check, at]))

/** What is of a day first, ascending; of one file the checks in their order. */
function byPlace(a: TickFinding, b: TickFinding): number {
  const places = [a, b].map(({ day, file, check }) => [
    day ?? '~',
    file ?? '~',
    String(rank.get(check)).padStart(2, '0'),
  ])
  const [one = '', other = ''] = places.map((place) => place.join(' '))
  return one < other ? -1 : one > other ? 1 : 0
}

/** All that is wrong in a folder, in an order that depends on nothing but what is wrong. */
export function checkFolder(folder: TickFolder, looked: readonly InspectedFile[], days: Days): CheckResults {
  const held = new Set(looked.map(({ day }) => day))
  const parts = [...looked.map(checkFile), checkSchemas(looked), judgeDays(days, held), judgeNames(folder)]
  return {
    findings: parts.flatMap(({ findings }) => findings).sort(byPlace),
    marks: parts.flatMap(({ marks }) => marks),
  }
}

export interface CheckSummary {
  readonly check: TickCheckName
  /** What it means that nothing was found. */
  readonly about: string
  /** How often it was made: once a file, or once for the folder. */
  readonly made: number
  /** How often it could not be made. */
  readonly notMade: number
  /** Why it was not made, the most frequent reason first. */
  readonly why: readonly string[]
}

/** What was checked and what was not, in the order of the checks. */
export function summarizeChecks(marks: readonly CheckMark[]): CheckSummary[] {
  return (Object.keys(tickChecks) as TickCheckName[]).flatMap((check) => {
    const own = marks.filter((mark) => mark.check === check)
    const reasons = new Map<string, number>()
    for (const { notMade } of own) if (notMade !== undefined) reasons.set(notMade, (reasons.get(notMade) ?? 0) + 1)
    const notMade = own.filter(({ notMade }) => notMade !== undefined).length
    const why = [...reasons].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([reason]) => reason)
    return [{ check, about: tickChecks[check], made: own.length - notMade, notMade, why }]
  })
}

const columns: Readonly<Record<keyof TickFinding, Column>> = {
  day: { kind: 'date', nullable: true, meaning: 'Day of the file, or that has none; null for what is of no one day.' },
  file: { kind: 'label', nullable: true, meaning: 'Path below the folder; null for what is of no one file.' },
  check: { kind: 'label', meaning: `One of: ${Object.keys(tickChecks).join(', ')}.` },
  severity: { kind: 'label', meaning: 'fault: something is wrong. note: worth knowing.' },
  what: { kind: 'text', meaning: 'What was found.' },
}

function coded(cells: readonly (string | null)[]): ColumnData {
  const words = [...new Set(cells)].filter((cell) => cell !== null)
  const codes = new Map(words.map((word, code) => [word, code]))
  return {
    type: 'dictionary',
    data: Int32Array.from(cells, (cell) => (cell === null ? -1 : (codes.get(cell) ?? -1))),
    dictionary: words,
  }
}

export function findingsTable(findings: readonly TickFinding[]): Table {
  const of = new Map<string, ColumnData>(
    (Object.keys(columns) as (keyof TickFinding)[]).map((name) => {
      const cells = findings.map((finding) => finding[name])
      return [name, name === 'what' ? { type: 'string', data: cells } : coded(cells)]
    }),
  )
  return toTable({ length: findings.length, columns: of }, columns)
}
