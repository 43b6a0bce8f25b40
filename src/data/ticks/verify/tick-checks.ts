import type { Table } from 'apache-arrow'
import type { Column } from '../../../contract/column.js'
import { eachOf, sentence, unlike, type Words } from '../../../contract/sentence.js'
import { toTable } from '../../../frame/table/arrow.js'
import type { FooterColumn } from '../../../frame/table/parquet-file/footer.js'
import { type ColumnData, textIn } from '../../../frame/table/values.js'
import {
  fault,
  note,
  noteIf,
  type Outcome,
  type Problem,
  type TickCheckName,
  type TickCheckRule,
  tickChecks,
} from './check-outcomes.js'
import type { ExpectedDays, expectedDays } from './expected-days.js'
import type { FileReport } from './inspect-file.js'
import type { ExpectedFile, TickFolder } from './tick-folder.js'

/** What became of a file: what was found out, and why the reading ended before its end. */
export interface InspectedFile extends ExpectedFile {
  readonly report: FileReport
  readonly failure: Words | undefined
}

export interface TickFinding extends Problem {
  /** `YYYYMMDD`; null for what is of no one day. */
  readonly day: string | null
  /** Path below the folder; null for what is of no one file. */
  readonly file: string | null
  readonly check: TickCheckName
}

const checkNames = Object.keys(tickChecks) as TickCheckName[]

/** A check that was made of a file, or of the whole folder, and what it found. */
interface CheckResult {
  readonly check: TickCheckName
  /** Why it was not made; absent when it was. */
  readonly notMade?: Words
  readonly findings: readonly TickFinding[]
}

function resultOf(check: TickCheckName, { day, file }: ExpectedFile, outcome: Outcome): CheckResult {
  if ('notMade' in outcome) return { check, notMade: outcome.notMade, findings: [] }
  return { check, findings: outcome.map((problem) => ({ day, file, check, ...problem })) }
}

/** What a check of a file came to, where its reader may have ended before it or within it. */
function outcomeOf(name: TickCheckName, needs: TickCheckRule['needs'], { report, failure }: InspectedFile): Outcome {
  const { stage, outcomes = {}, at = 0, groups = 0 } = report
  if (needs === 'nothing') return stage ? [] : [fault(failure ?? sentence`it was not read`)]
  if (stage === undefined && needs === 'bytes') return { notMade: sentence`the file can not be read` }
  if (stage !== 'footer' && stage !== 'rows' && needs !== 'bytes')
    return { notMade: sentence`its footer can not be read` }
  if (stage !== 'rows' && needs === 'rows') return { notMade: sentence`it can not be decoded` }
  const outcome = outcomes[name]
  if (name === 'decode' && failure !== undefined) {
    const what = outcome === undefined && at > 0 ? sentence`row group ${at} of ${groups}: ${failure}` : failure
    return [...(outcome && !('notMade' in outcome) ? outcome : []), fault(what)]
  }
  if (outcome) return outcome
  return name === 'footer'
    ? [fault(failure ?? sentence`it was not read`)]
    : { notMade: sentence`its reader did not come so far` }
}

/** What is wrong with a file, and what was not looked at and why. Schemas are compared elsewhere. */
export function checkFile(file: InspectedFile): CheckResult[] {
  return checkNames.flatMap((name) => {
    const { needs }: TickCheckRule = tickChecks[name]
    return needs ? resultOf(name, file, outcomeOf(name, needs, file)) : []
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
    ...changed.map(({ name, type }) => fault(sentence`${name} was ${old.get(name)} and is ${type}`)),
    ...noteIf(came.length > 0, sentence`there is, and was not: ${columnList(came)}`),
    ...noteIf(went.length > 0, sentence`there was, and is not: ${columnList(went)}`),
    ...noteIf(common(before) !== common(after), sentence`the columns stand in another order`),
  ]
}

/** Compares the columns of each file with those of the file before, by day. */
function checkSchemas(files: readonly InspectedFile[]): CheckResult[] {
  let before: { readonly day: string; readonly schema: Schema } | undefined
  const check = ({ day, report: { schema } }: InspectedFile): Outcome => {
    if (!schema) return { notMade: sentence`its footer can not be read` }
    const twice = schema.find(({ name }, at) => schema.findIndex((other) => other.name === name) !== at)
    if (twice) return [fault(sentence`there are two columns ${twice.name}`)]
    const last = before ?? { day, schema }
    before = { day, schema }
    const changes = schemaChanges(last.schema, schema)
    return changes.map(({ severity, what }) => ({ severity, what: sentence`against ${last.day}: ${what}` }))
  }
  return files.map((file) => resultOf('schema', file, check(file)))
}

type Days = Awaited<ReturnType<typeof expectedDays>>

const sourcesOf = (days: readonly ExpectedDays[]): Words => eachOf(days.map(({ by }) => by))

/** Days without a file, each once, with all who expect it; and files of days that nobody expects. */
function checkDays({ expected, notMade }: Days, present: ReadonlySet<string>): CheckResult[] {
  const check = 'missing'
  const known = new Set(expected.flatMap(({ days }) => days))
  const absent = [...known].flatMap((day): TickFinding[] => {
    if (present.has(day)) return []
    const by = expected.filter(({ days }) => days.includes(day))
    const problem = by.some(({ isSure }) => isSure) ? fault : note
    return [{ day, file: null, check, ...problem(sentence`there is no file of this trading day (${sourcesOf(by)})`) }]
  })
  const extra = note(sentence`there is a file of a day that is no trading day (${sourcesOf(expected)})`)
  const isComplete = known.size > 0 && notMade.length === 0
  const others = [...present]
    .filter((day) => isComplete && !known.has(day))
    .map((day): TickFinding => ({ day, file: null, check, ...extra }))
  const made = known.size > 0 ? [{ check, findings: [...absent, ...others] } as const] : []
  return [...made, ...notMade.map((why) => ({ check, notMade: why, findings: [] }) as const)]
}

function checkFileNames({ undated, unlisted, leftovers, state }: TickFolder): CheckResult[] {
  const result = (check: TickCheckName, files: readonly string[], problem: Problem): CheckResult => ({
    check,
    findings: files.map((file) => ({ day: null, file, check, ...problem })),
  })
  const unknown =
    state !== undefined ? sentence`the manifest does not name it; nobody reads it` : sentence`it is no tick file`
  return [
    result('name', undated, fault(sentence`the day in its name is none`)),
    result('unlisted', unlisted, note(unknown)),
    result('leftover', leftovers, note(sentence`a download has left it behind, or is under way`)),
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
export interface TickCheckCounts {
  readonly check: TickCheckName
  /** What it means that nothing was found. */
  readonly about: string
  /** How often it was made: once a file, or once for the folder. */
  readonly made: number
  /** How often it could not be made. */
  readonly notMade: number
  /** Why it was not made, the most frequent reason first. */
  readonly why: readonly Words[]
}

/** What was checked and what was not, in the order of the checks. */
export function summarizeChecks(results: readonly CheckResult[]): TickCheckCounts[] {
  return checkNames.map((check) => {
    const own = results.filter((result) => result.check === check)
    const reasons = own.flatMap(({ notMade }) => notMade ?? [])
    const times = (reason: Words): number => reasons.filter((other) => `${other}` === `${reason}`).length
    const why = unlike(reasons).sort((a, b) => times(b) - times(a) || (`${a}` < `${b}` ? -1 : 1))
    const { about } = tickChecks[check]
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
    const texts: ColumnData = {
      type: 'string',
      data: findings.map((finding) => finding[name] && String(finding[name])),
    }
    return [name, name === 'what' ? texts : (textIn(texts) ?? texts)]
  })
  return toTable({ length: findings.length, columns: new Map(cells) }, columns)
}
