import type { Table } from 'apache-arrow'
import type { TickEntry } from '../../archive/manifest-entries.js'
import type { Column } from '../../contract/column.js'
import { toTable } from '../../table/arrow.js'
import type { FooterColumn } from '../../table/parquet-file/footer.js'
import { type ColumnData, textIn } from '../../table/values.js'
import type { ExpectedDays, expectedDays } from './expected-days.js'
import type { Attempted, FileFacts, RowCount } from './file-facts.js'
import type { ExpectedFile, TickFolder } from './tick-folder.js'

/** What became of a file: what was found out, and why the reading ended before its end. */
export interface InspectedFile extends ExpectedFile {
  readonly facts: FileFacts
  readonly failure: string | undefined
}

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

type Problem = Pick<TickFinding, 'severity' | 'what'>

/** The problems that a check found, or why it was not made. */
type Outcome = readonly Problem[] | { readonly notMade: string }

const fault = (what: string): Problem => ({ severity: 'fault', what })
const note = (what: string): Problem => ({ severity: 'note', what })
const faultIf = (isWrong: unknown, what: string): Problem[] => (isWrong ? [fault(what)] : [])
const noteIf = (isOdd: unknown, what: string): Problem[] => (isOdd ? [note(what)] : [])

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
const more = (count: number, joint: string): string => (count > 0 ? `${joint} ${count} more` : '')
const many = (found: RowCount | undefined): string =>
  found ? `${counted(found.rows, 'row')}, the first: ${found.first}` : ''

function checkEntry(entry: TickEntry | undefined, expectedIn: (entry: TickEntry) => string, found: string): Outcome {
  if (!entry) return { notMade: 'there is no manifest' }
  return faultIf(expectedIn(entry) !== found, `it is ${found}, the manifest says ${expectedIn(entry)}`)
}

/** What a reader found out, where it came so far. */
function checkAttempt<T>(found: Attempted<T> | undefined, check: (facts: T) => Outcome): Outcome {
  if (!found) return { notMade: 'its reader did not come so far' }
  return typeof found === 'object' && 'notMade' in found ? found : check(found as T)
}

function checkMagic({ facts: { magic } }: InspectedFile): Outcome {
  if (!magic || (magic.head && magic.tail)) return []
  const cut = magic.head ? '; it may be cut, or still being written' : ''
  return [fault(`it does not ${magic.head ? 'end' : 'begin'} with PAR1${cut}`)]
}

function checkPageSums({ facts: { pages } }: InspectedFile): Outcome {
  if (!pages) return []
  if (pages.wrong > 0) return [fault(`${pages.first}${more(pages.wrong - 1, ' and')} is not what its checksum says`)]
  if (pages.lost !== undefined) return [note(`its pages can not be followed: ${pages.lost}`)]
  return pages.checked < pages.pages || pages.pages === 0 ? { notMade: 'its pages carry no checksums' } : []
}

/** Why the cells of a column were not looked at. */
function unreadOf({ columns = [] }: FileFacts): string | undefined {
  const unread = columns.find((column) => column.unread !== undefined)
  return unread && `the cells of ${unread.name} (${unread.type}) can not be looked at: ${unread.unread}`
}

function checkDecoding({ facts, failure }: InspectedFile): Outcome {
  const { broken, at = 0, groups = 0 } = facts
  if (!broken) return [fault(`${at > 0 ? `row group ${at} of ${groups}: ` : ''}${failure ?? 'it was not decoded'}`)]
  const lost = `${broken.groups} of ${counted(groups, 'row group')} can not be decoded; ${broken.first}`
  return [broken.groups > 0 ? lost : undefined, unreadOf(facts), failure].flatMap((what) => faultIf(what, what ?? ''))
}

function checkRows({ facts, entry }: InspectedFile): Outcome {
  const { counted: rows = 0, decoded = 0, broken } = facts
  if (entry && entry.rows !== rows) return [fault(`it counts ${counted(rows, 'row')}, the manifest ${entry.rows}`)]
  if (broken?.groups !== 0) return { notMade: 'not all row groups can be decoded' }
  if (rows !== decoded) return [fault(`it counts ${counted(rows, 'row')} and holds ${decoded}`)]
  return faultIf(rows === 0, 'it has no rows')
}

function checkBounds({ facts: { bounds } }: InspectedFile): Outcome {
  const { wrong = [], checked = 0 } = bounds ?? {}
  if (wrong[0] !== undefined) return [fault(`${wrong[0]}${more(wrong.length - 1, ', and')}`)]
  return checked === 0 ? { notMade: 'its footer tells none that can be held against cells' } : []
}

const keyColumns = ['tradedate', 'symbol', 'time']

function checkNulls({ facts: { columns = [], key, time } }: InspectedFile): Outcome {
  const missing = columns.filter(({ name, nulls }) => keyColumns.includes(name) && nulls > 0)
  if (missing.length > 0)
    return missing.map(({ name, nulls }) => fault(`${name} is missing in ${counted(nulls, 'row')}`))
  if (columns.length === 0) return { notMade: 'there are no rows to look at' }
  for (const found of [key, time]) if (found && 'notMade' in found) return found
  return []
}

function checkNumbers({ facts }: InspectedFile): Outcome {
  const { columns = [] } = facts
  const problems = columns.flatMap(({ name, nan, infinite }) => [
    ...faultIf(infinite, `${name} is infinite in ${counted(infinite, 'row')}`),
    ...noteIf(nan, `${name} is NaN in ${counted(nan, 'row')}; they read as missing`),
  ])
  if (problems.length > 0) return problems
  const why = columns.length === 0 ? 'there are no rows to look at' : unreadOf(facts)
  return why === undefined ? [] : { notMade: why }
}

function checkTime({ facts: { time } }: InspectedFile): Outcome {
  return checkAttempt(time, ({ forms, wrong, elsewhere }) => [
    ...faultIf(wrong, `time is no time in ${many(wrong)}`),
    ...faultIf(elsewhere, `time is of another day in ${many(elsewhere)}`),
    ...noteIf(forms.length > 1, `times are written in ${forms.length} ways: ${forms.join(', ')}`),
  ])
}

function checkOrder({ facts: { key } }: InspectedFile): Outcome {
  return checkAttempt(key, ({ unsorted, byTime }) => {
    const other = byTime ? '; they are sorted by (time, symbol)' : ''
    return noteIf(unsorted !== undefined, `row ${unsorted} is not in the order of (symbol, time)${other}`)
  })
}

function checkDuplicates({ facts: { key } }: InspectedFile): Outcome {
  return checkAttempt(key, ({ columns, repeated, differing }) => {
    const other = `rows with a key (${columns.join(', ')}) that stands before, and other cells`
    return [
      ...faultIf(repeated, `rows that stand before, equal in all columns: ${many(repeated)}`),
      ...faultIf(differing, `${other}: ${many(differing)}`),
    ]
  })
}

type Stage = 'any' | 'bytes' | 'footer' | 'rows'

/** What must be known of a file before a check of it can be made, and why the check is not made where it is not. */
const stages: Readonly<Record<Stage, (facts: FileFacts) => string | undefined>> = {
  any: () => undefined,
  bytes: ({ magic }) => (magic ? undefined : 'the file can not be read'),
  footer: ({ footer }) => (footer === null ? undefined : 'its footer can not be read'),
  rows: (facts) => stages.footer(facts) ?? (facts.broken ? undefined : 'it can not be decoded'),
}

interface TickCheckRule {
  /** What it means that nothing was found. */
  readonly about: string
  /** Absent for a check of the whole folder. */
  readonly needs?: Stage
  check?(file: InspectedFile): Outcome
}

/** All checks, in the order in which findings are listed. */
const checks = {
  file: {
    about: 'the file is there and can be read',
    needs: 'any',
    check: ({ facts, failure }) => faultIf(!facts.magic, failure ?? 'it was not read'),
  },
  name: { about: 'its name says a day' },
  size: {
    about: "its size is the manifest's",
    needs: 'bytes',
    check: ({ facts, entry }) =>
      checkEntry(entry, ({ bytes }) => counted(bytes, 'byte'), counted(facts.bytes ?? 0, 'byte')),
  },
  sha256: {
    about: "its checksum is the manifest's",
    needs: 'bytes',
    check: ({ facts, entry }) => checkEntry(entry, ({ sha256 }) => sha256, facts.sha256 ?? ''),
  },
  magic: { about: 'it begins and ends as Parquet', needs: 'bytes', check: checkMagic },
  footer: {
    about: 'its footer is whole and fits the file',
    needs: 'bytes',
    check: ({ facts: { footer }, failure }) => faultIf(footer !== null, footer ?? failure ?? 'it was not read'),
  },
  decode: { about: 'every row group can be decoded', needs: 'footer', check: checkDecoding },
  crc: { about: 'its pages are what their checksums say', needs: 'footer', check: checkPageSums },
  rows: { about: 'its rows are as many as are counted', needs: 'rows', check: checkRows },
  bounds: { about: 'its cells lie within the bounds that its footer tells', needs: 'rows', check: checkBounds },
  day: {
    about: 'tradedate is the day of its name',
    needs: 'rows',
    check: ({ facts: { day } }) =>
      checkAttempt(day, ({ other }) => faultIf(other, `tradedate is another day in ${many(other)}`)),
  },
  time: { about: 'times are times', needs: 'rows', check: checkTime },
  null: { about: 'no part of the key is missing', needs: 'rows', check: checkNulls },
  number: { about: 'numbers are numbers', needs: 'rows', check: checkNumbers },
  order: { about: 'rows are sorted by (symbol, time)', needs: 'rows', check: checkOrder },
  duplicate: { about: 'no key stands twice', needs: 'rows', check: checkDuplicates },
  schema: { about: 'columns stay the same over time' },
  missing: { about: 'every trading day has a file' },
  unlisted: { about: 'nothing else lies there' },
  leftover: { about: 'no download has left anything behind' },
} as const satisfies Record<string, TickCheckRule>

type TickCheckName = keyof typeof checks

const checkNames = Object.keys(checks) as TickCheckName[]

/** A check that was made of a file, or of the whole folder, and what it found. */
interface CheckResult {
  readonly check: TickCheckName
  /** Why it was not made; absent when it was. */
  readonly notMade?: string
  readonly findings: readonly TickFinding[]
}

function resultOf(check: TickCheckName, { day, file }: ExpectedFile, outcome: Outcome): CheckResult {
  if ('notMade' in outcome) return { check, notMade: outcome.notMade, findings: [] }
  return { check, findings: outcome.map((problem) => ({ day, file, check, ...problem })) }
}

/** What is wrong with a file, and what was not looked at and why. Schemas are compared elsewhere. */
export function checkFile(file: InspectedFile): CheckResult[] {
  return checkNames.flatMap((name) => {
    const { needs = 'any', check }: TickCheckRule = checks[name]
    const notMade = stages[needs](file.facts)
    return check ? resultOf(name, file, notMade === undefined ? check(file) : { notMade }) : []
  })
}

type Schema = readonly FooterColumn[]

const columnList = (columns: Schema): string => columns.map(({ name, type }) => `${name} (${type})`).join(', ')

/** What came, went, changed its type or its place since the file before. */
function schemaChanges(before: Schema, after: Schema): Problem[] {
  const typesIn = (schema: Schema) => new Map(schema.map(({ name, type }) => [name, type]))
  const [old, now] = [typesIn(before), typesIn(after)]
  const came = after.filter(({ name }) => !old.has(name))
  const went = before.filter(({ name }) => !now.has(name))
  const common = (schema: Schema): string =>
    schema.flatMap(({ name }) => (old.has(name) && now.has(name) ? [name] : [])).join()
  const changed = after.filter(({ name, type }) => old.has(name) && old.get(name) !== type)
  return [
    ...changed.map(({ name, type }) => fault(`${name} was ${old.get(name)} and is ${type}`)),
    ...noteIf(came.length > 0, `there is, and was not: ${columnList(came)}`),
    ...noteIf(went.length > 0, `there was, and is not: ${columnList(went)}`),
    ...noteIf(common(before) !== common(after), 'the columns stand in another order'),
  ]
}

/** Compares the columns of each file with those of the file before, by day. */
function checkSchemas(files: readonly InspectedFile[]): CheckResult[] {
  let before: { readonly day: string; readonly schema: Schema } | undefined
  const check = ({ day, facts: { schema } }: InspectedFile): Outcome => {
    if (!schema) return { notMade: 'its footer can not be read' }
    const twice = schema.find(({ name }, at) => schema.findIndex((other) => other.name === name) !== at)
    if (twice) return [fault(`there are two columns ${twice.name}`)]
    const last = before ?? { day, schema }
    before = { day, schema }
    const changes = schemaChanges(last.schema, schema)
    return changes.map(({ severity, what }) => ({ severity, what: `against ${last.day}: ${what}` }))
  }
  return files.map((file) => resultOf('schema', file, check(file)))
}

type Days = Awaited<ReturnType<typeof expectedDays>>

const sourcesOf = (days: readonly ExpectedDays[]): string => days.map(({ by }) => by).join(', ')

/** Days without a file, each once, with all who expect it; and files of days that nobody expects. */
function checkDays({ expected, notMade }: Days, present: ReadonlySet<string>): CheckResult[] {
  const check = 'missing'
  const known = new Set(expected.flatMap(({ days }) => days))
  const absent = [...known].flatMap((day): TickFinding[] => {
    if (present.has(day)) return []
    const by = expected.filter(({ days }) => days.includes(day))
    const problem = by.some(({ isSure }) => isSure) ? fault : note
    return [{ day, file: null, check, ...problem(`there is no file of this trading day (${sourcesOf(by)})`) }]
  })
  const extra = note(`there is a file of a day that is no trading day (${sourcesOf(expected)})`)
  const isComplete = known.size > 0 && notMade.length === 0
  const others = [...present]
    .filter((day) => isComplete && !known.has(day))
    .map((day): TickFinding => ({ day, file: null, check, ...extra }))
  const made = known.size > 0 ? [{ check, findings: [...absent, ...others] } as const] : []
  return [...made, ...notMade.map((why) => ({ check, notMade: why, findings: [] }) as const)]
}

function checkFileNames({ undated, unlisted, leftovers, isArchive }: TickFolder): CheckResult[] {
  const result = (check: TickCheckName, files: readonly string[], problem: Problem): CheckResult => ({
    check,
    findings: files.map((file) => ({ day: null, file, check, ...problem })),
  })
  const unknown = isArchive ? 'the manifest does not name it; nobody reads it' : 'it is no tick file'
  return [
    result('name', undated, fault('the day in its name is none')),
    result('unlisted', unlisted, note(unknown)),
    result('leftover', leftovers, note('a download has left it behind, or is under way')),
  ]
}

/** The results of all checks of a folder. */
export function checkFolder(folder: TickFolder, files: readonly InspectedFile[], days: Days): CheckResult[] {
  const present = new Set(files.map(({ day }) => day))
  return [...files.flatMap(checkFile), ...checkSchemas(files), ...checkDays(days, present), ...checkFileNames(folder)]
}

/** All findings: those of a day first, ascending; of one file in the order of the checks. */
export function findingsIn(results: readonly CheckResult[]): TickFinding[] {
  const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
  return results
    .flatMap(({ findings }) => findings)
    .sort(
      (a, b) =>
        order(a.day ?? '~', b.day ?? '~') ||
        order(a.file ?? '~', b.file ?? '~') ||
        checkNames.indexOf(a.check) - checkNames.indexOf(b.check),
    )
}

/** What one check of tick files came to over all files. */
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
export function summarizeChecks(results: readonly CheckResult[]): CheckSummary[] {
  return checkNames.map((check) => {
    const own = results.filter((result) => result.check === check)
    const reasons = own.flatMap(({ notMade }) => notMade ?? [])
    const counts = new Map<string, number>()
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    const why = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([reason]) => reason)
    const { about } = checks[check]
    return { check, about, made: own.length - reasons.length, notMade: reasons.length, why }
  })
}

const columns: Readonly<Record<keyof TickFinding, Column>> = {
  day: { kind: 'date', nullable: true, meaning: 'Day of the file, or that has none; null for what is of no one day.' },
  file: { kind: 'label', nullable: true, meaning: 'Path below the folder; null for what is of no one file.' },
  check: { kind: 'label', meaning: `One of: ${checkNames.join(', ')}.` },
  severity: { kind: 'label', meaning: 'fault: something is wrong. note: worth knowing.' },
  what: { kind: 'text', meaning: 'What was found.' },
}

export function findingsTable(findings: readonly TickFinding[]): Table {
  const cells = (Object.keys(columns) as (keyof TickFinding)[]).map((name): [string, ColumnData] => {
    const texts: ColumnData = { type: 'string', data: findings.map((finding) => finding[name]) }
    return [name, name === 'what' ? texts : (textIn(texts) ?? texts)]
  })
  return toTable({ length: findings.length, columns: new Map(cells) }, columns)
}
