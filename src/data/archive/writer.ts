import { datasetOf, ownDatasets } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { dateIn } from '../../contract/date.js'
import type { TableLayout } from '../../frame/table/parquet.js'
import type { RecordColumns } from '../../frame/table/values.js'
import { type Condition, unmatched, where } from './answer/row-conditions.js'
import { emptyColumns } from './answer/row-slices.js'
import { byCodeFolder, revisionsFolder } from './check-manifest.js'
import { byCode, monthsByCode } from './code-months.js'
import {
  addCoverage,
  cachedOrigin,
  currentEntry,
  type NewCoverage,
  type OpenEntry,
  setLedger,
  setWaiting,
  wantFrom,
  withoutCached,
} from './coverage/coverage.js'
import { byPartition, type CoveringAnswer, CoveringAnswers, latestAt } from './coverage/covering-answers.js'
import {
  type DayRanges,
  datesIn,
  daysWithout,
  endOfDays,
  includes,
  intersection,
  joinRanges,
  rangesOfDays,
  union,
} from './coverage/day-ranges.js'
import {
  type AnsweredDays,
  knownDays,
  recordOf,
  timedScopes,
  withAnswer,
  withImport,
  withoutMoments,
  withoutProofs,
} from './coverage/ledger.js'
import { sha256 } from './file-access.js'
import { contractVersion, emptyManifest, tickFile } from './manifest.js'
import type { CodesEntry, Covered, DayRecord, Manifest, PartEntry, TickEntry, WaitingDay } from './manifest-entries.js'
import { dayColumn, merge, partition, rowCount, span, together } from './merge-rows.js'
import { movingBetween } from './moved-rows.js'
import { byCodeLayout, partBytes } from './part-bytes.js'
import { factsOf, LostFileError } from './part-file.js'
import { holdLost, type LostPart } from './revision/lost-rows.js'
import {
  daysOfChanges,
  remainingRevisions,
  revisionColumns,
  revisionsOf,
  settledRevisions,
} from './revision/revisions.js'
import { isObservedByRow } from './revision/row-places.js'
import type { ArchiveStore, MadePart, WriteSession } from './store/archive-store.js'
import { rowsDigest } from './store/rows-digest.js'
import { type ArchivePlace, storeOf } from './store/store-of.js'

type Datasets = Record<string, OpenEntry>

const allDays: DayRanges = [['00010101', endOfDays]]

/** What became of files that rows were put into. */
interface Change {
  /** How many are others now. */
  readonly changed: number
  /** What answers lacked of settled days. */
  readonly lost: readonly LostPart[]
}

/** How rows are put into a file. */
interface PutHow {
  readonly origin: string
  /** Beijing time at which they were there; absent, nobody knows since when they are. */
  readonly at?: string | undefined
  /** Which stored rows give way to each answer. */
  readonly replaces?: readonly (readonly Condition[])[]
  readonly settling?: Settling | undefined
}

/** Answers that settle days: what these lost stays until an answer of another date lacks the same. */
interface Settling {
  /** The date on which they were asked for. */
  readonly asked: string
  /** The days, by scope. */
  readonly days: ReadonlyMap<string, DayRanges>
  /** All rows that came. */
  readonly everywhere: RecordColumns
}

type EncodedPart = Pick<MadePart, 'rows' | 'columns' | 'bytes'> & { readonly sum: string }

async function encoded(rows: RecordColumns, columns: MadePart['columns'], layout?: TableLayout): Promise<EncodedPart> {
  const bytes = await partBytes(rows, columns, layout)
  return { rows, columns, bytes, sum: sha256(bytes) }
}

/** Parts in order, one of them in the place of the one of its partition. */
function withPart(parts: readonly PartEntry[], name: string, part: PartEntry | undefined): PartEntry[] {
  const others = parts.filter(({ partition }) => partition !== name)
  return (part ? [...others, part] : others).sort((a, b) => (a.partition < b.partition ? -1 : 1))
}

/** Lets go of what is known of days: nobody knows since when their rows are there, nor what they lost. */
function forget(entry: OpenEntry, scope: string, days: DayRanges): void {
  setLedger(entry, withoutMoments(entry.ledger ?? [], scope, days))
  setWaiting(entry, scope, days)
}

/** The days that an answer settles, and those before its date: they are over, though nothing settles them yet. */
function pastDays({ days, unproven = [], unsettled = {}, asked = '' }: NewCoverage): DayRanges {
  const over = Object.keys(unsettled).filter((day) => day < (dateIn(asked) ?? ''))
  return [days, unproven, rangesOfDays(over)].reduce(union)
}

function settlingOf(dataset: Dataset, answers: readonly CoveringAnswer[]): Settling | undefined {
  const asked = answers.flatMap(({ more }) => dateIn(more.asked ?? '') ?? []).sort()[0]
  const days = new Map<string, DayRanges>()
  for (const { more } of answers) days.set(more.scope, union(days.get(more.scope) ?? [], pastDays(more)))
  const filled = answers.flatMap(({ columns }) => (columns.length > 0 ? [columns] : []))
  return asked === undefined ? undefined : { asked, days, everywhere: together(dataset, filled) }
}

function waitingOf(held: readonly LostPart[], asked = ''): Record<string, WaitingDay> {
  const date = dateIn(asked) as string
  return Object.fromEntries(held.map(({ day, rows, cells, sum }) => [day, { asked: date, rows, cells, sum }]))
}

/**
 * The one writer of an archive at a time. Nothing that it puts is seen before `commit`, which replaces the manifest in
 * one step; `abort` leaves the archive as it was.
 */
export class ArchiveWriter {
  readonly #store: ArchiveStore
  readonly #session: WriteSession
  readonly #datasets: Datasets
  readonly #ticks: Map<string, TickEntry>
  readonly #about: string | undefined
  readonly #replaced: string[] = []
  readonly #revisions = new Map<string, number>()
  /** Answers that are not put yet. */
  readonly #covers = new Map<Dataset, CoveringAnswers>()

  private constructor(store: ArchiveStore, session: WriteSession, about?: string) {
    const { datasets, ticks, about: before } = session.manifest
    this.#store = store
    this.#session = session
    this.#datasets = Object.fromEntries(Object.entries(datasets).map(([name, set]) => [name, { ...set }]))
    this.#ticks = new Map(ticks.map((tick) => [tick.day, tick]))
    this.#about = about ?? before
  }

  /**
   * Takes the archive for writing, making the directory when there is none.
   * @param waitMs how long to wait for another writer; a writer that was killed counts as gone after 10 seconds
   * @throws QuotebookError ARCHIVE_BUSY when another process is writing, ARCHIVE when the directory holds something else
   */
  static async open(
    place: ArchivePlace,
    about?: string,
    waitMs = 15_000,
    signal?: AbortSignal,
  ): Promise<ArchiveWriter> {
    const store = storeOf(place)
    return new ArchiveWriter(store, await store.begin(waitMs, signal), about)
  }

  /** What is built on. */
  get manifest(): Manifest {
    return this.#session.manifest
  }

  /** Files that could not be read any more, in whose place the rows are that were put. */
  get replaced(): readonly string[] {
    return this.#replaced
  }

  /** Rows of settled days, or known by themselves, that were seen to have changed since, by dataset. */
  get revisions(): ReadonlyMap<string, number> {
    return this.#revisions
  }

  /**
   * Merges rows into a dataset by key. Returns how many of its files changed.
   * @param imported checksum that tells whether the same is put again
   * @param at when the answer with them was there, Beijing time
   * @param onPart called after each file with the share that is done
   */
  async put(
    dataset: Dataset,
    columns: RecordColumns,
    origin: string,
    {
      imported,
      at,
      onPart,
    }: { readonly imported?: string | undefined; readonly at?: string; readonly onPart?: (done: number) => void } = {},
  ): Promise<number> {
    await this.#putCovers(dataset)
    let [changed, done] = [0, 0]
    const fresh = partition(dataset, columns)
    const { parts } = this.#entry(dataset)
    const moving = await this.#session.owning(() => movingBetween(dataset, fresh, parts, this.#store))
    const alone = [...fresh.keys()].filter((name) => !moving.includes(name))
    for (const names of [moving, ...alone.map((name) => [name])]) {
      changed += (await this.#putGroup(dataset, names, fresh, { origin, at })).changed
      done += names.filter((name) => fresh.has(name)).length
      onPart?.(done / fresh.size)
    }
    if (imported !== undefined) this.#markImported(dataset, imported, new Set([...fresh.keys(), ...moving]))
    return changed
  }

  /** Keeps which import left the parts as they are, and forgets those of which a part has changed since. */
  #markImported(dataset: Dataset, imported: string, names: ReadonlySet<string>): void {
    const set = this.#entry(dataset)
    const own = set.parts.filter(({ partition }) => names.has(partition))
    const all = set.parts.map(({ imports, ...part }) => {
      const isOwn = names.has(part.partition)
      return { part, imports: isOwn ? { ...imports, [imported]: own.length } : (imports ?? {}) }
    })
    const found = new Map<string, number>()
    for (const { imports } of all) for (const sum of Object.keys(imports)) found.set(sum, (found.get(sum) ?? 0) + 1)
    set.parts = all.map(({ part, imports }) => {
      const left = Object.entries(imports).filter(([sum, parts]) => found.get(sum) === parts)
      return left.length > 0 ? { ...part, imports: Object.fromEntries(left) } : part
    })
  }

  /** Whether putting what was put under a checksum would change nothing: all of its parts are as it left them, and sound. */
  async isImported(dataset: Dataset, imported: string): Promise<boolean> {
    const { parts } = this.#datasets[dataset.name] ?? { parts: [] }
    const own = parts.filter((part) => part.imports && Object.hasOwn(part.imports, imported))
    if (own.length === 0 || own.length !== own[0]?.imports?.[imported]) return false
    if (own.some(({ contract }) => contract !== contractVersion(dataset))) return false
    try {
      for (const { file, sha256: sum } of own) await this.#session.owning(() => this.#store.verify(file, sum))
      return true
    } catch (error) {
      if (error instanceof LostFileError) return false
      throw error
    }
  }

  /** Merges rows into partitions as if they were one. */
  async #putGroup(
    dataset: Dataset,
    names: readonly string[],
    fresh: ReadonlyMap<string, RecordColumns>,
    how: PutHow,
  ): Promise<Change> {
    const stored = new Map<string, RecordColumns>()
    for (const part of this.#entry(dataset).parts.filter(({ partition }) => names.includes(partition))) {
      const rows = await this.#session.owning(() => this.#stored(dataset, part, fresh.get(part.partition)))
      if (rows) stored.set(part.partition, rows)
    }
    let left = [...stored.values()]
    const given = names.flatMap((name) => fresh.get(name) ?? [])
    const held = how.settling && this.#held(dataset, left, given, how.replaces ?? [], how.settling)
    const before = rowCount(left)
    for (const conditions of how.replaces ?? []) left = left.map((rows) => unmatched(rows, conditions))
    const isSame = rowCount(left) === before
    const lost = held?.lost ?? []
    const more = held ? [held.fresh] : given
    if (held) left.push(held.back)
    if (rowCount(more) === 0 && isSame) return { changed: 0, lost }
    const merged = merge(dataset, together(dataset, left), together(dataset, more))
    const parts = names.length > 1 ? partition(dataset, merged) : new Map([[names[0], merged]])
    let changed = 0
    for (const name of names) {
      const rows = parts.get(name)
      if (await this.#write(dataset, name, stored.get(name), rows?.length ? rows : undefined, how)) changed++
    }
    return { changed, lost }
  }

  /**
   * What answers lack of days that are settled, or were seen before they were, and what stays of it. A day that must have rows
   * never loses all. Lists and candidates may be others once their day is over.
   */
  #held(
    dataset: Dataset,
    before: readonly RecordColumns[],
    given: readonly RecordColumns[],
    replaces: readonly (readonly Condition[])[],
    { asked, days, everywhere }: Settling,
  ) {
    const { ledger, waiting = {} } = this.#entry(dataset)
    const timed = timedScopes(ledger)
    if (timed.length === 0 || rowCount(before) === 0) return undefined
    const mayDiffer = dataset.list !== undefined || dataset.stored?.computed_on !== undefined
    const known = new Map(timed.map((scope) => [scope, knownDays(ledger, scope, mayDiffer)]))
    const isAgain = [...known].some(([scope, own]) => intersection(days.get(scope) ?? [], own).length > 0)
    if (!isAgain) return undefined
    const replacement = {
      before: together(dataset, before),
      replaces,
      fresh: together(dataset, given),
      everywhere,
      isKnown: (scope: string, day: string) => [days, known].every((spans) => includes(spans.get(scope) ?? [], day)),
    }
    return holdLost(dataset, replacement, ({ scope, day, sum, isAll }) => {
      const one = waiting[scope]?.[day]
      return one?.sum !== sum || one.asked >= asked || (isAll && dataset.everyTradingDay === true)
    })
  }

  /**
   * Puts rows in the place of all that is stored of some days and codes, and marks these as covered: both are seen at
   * once. Answers of other days and scopes that come one after the other are put together, when the last of them was there.
   */
  async cover(
    dataset: Dataset,
    columns: RecordColumns,
    more: NewCoverage,
    replaces: readonly Condition[],
  ): Promise<void> {
    this.#currentEntry(dataset)
    const answers = this.#covers.get(dataset) ?? new CoveringAnswers()
    this.#covers.set(dataset, answers)
    if (answers.add({ columns, more, replaces })) return
    await this.#putCovers(dataset)
    await this.cover(dataset, columns, more, replaces)
  }

  async #putCovers(dataset: Dataset): Promise<void> {
    const answers = this.#covers.get(dataset)
    this.#covers.delete(dataset)
    for (const group of answers?.groups(dataset) ?? []) await this.#putCovering(dataset, group)
  }

  async #putCovering(dataset: Dataset, answers: readonly CoveringAnswer[]): Promise<void> {
    const entry = this.#entry(dataset)
    const at = latestAt(answers)
    const settling = at === undefined ? undefined : settlingOf(dataset, answers)
    const lost: LostPart[] = []
    for (const [name, { fresh, own }] of byPartition(dataset, answers, entry)) {
      const replaces = own.map((i) => (answers[i] as CoveringAnswer).replaces)
      const rows = fresh.length > 0 ? new Map([[name, together(dataset, fresh)]]) : new Map()
      const change = await this.#putGroup(dataset, [name], rows, { origin: cachedOrigin, at, replaces, settling })
      lost.push(...change.lost)
    }
    for (const { more } of answers) {
      const { asked, scope } = more
      const now = pastDays(more)
      const held = lost.filter((one) => one.isHeld && one.scope === scope && includes(now, one.day))
      addCoverage(dataset, entry, at === undefined ? more : { ...more, observedAt: at })
      if (more.symbols === 'all') setWaiting(entry, scope, now, waitingOf(held, asked))
    }
  }

  /** Takes rows of a scope away that lie after a date, to which no day has come yet. */
  async dropAfter(dataset: Dataset, conditions: readonly Condition[], date: string, at: string): Promise<void> {
    const later = where(dayColumn(dataset) ?? '', (word) => (dateIn(word ?? '') ?? '') > date)
    for (const part of this.#entry(dataset).parts.filter(({ to = '' }) => to > date)) {
      const replaces = [[...conditions, later]]
      await this.#putGroup(dataset, [part.partition], new Map(), { origin: cachedOrigin, at, replaces })
    }
  }

  /** Says of settled days that an answer did not show them whole: they are asked for again on another date. */
  markWaiting(dataset: Dataset, scope: string, days: DayRanges, asked: string): void {
    const told = datesIn(days).map((day) => [day, { asked: dateIn(asked) as string, rows: 0, cells: 0 }] as const)
    setWaiting(this.#currentEntry(dataset), scope, days, Object.fromEntries(told))
  }

  /** Says from which day on a sync brings a dataset. @param from addresses of the service */
  wantSince(dataset: Dataset, from: readonly string[], since: string): void {
    wantFrom(dataset, this.#currentEntry(dataset), from, since)
  }

  /** Lets go of what is kept of a dataset; rows that were imported stay. */
  uncover(name: string): void {
    const entry = this.#datasets[name]
    const left = entry && withoutCached(entry)
    if (left) this.#datasets[name] = { ...left }
    else delete this.#datasets[name]
  }

  /** Writes a partition, or releases one without rows. Returns whether its file changed. */
  async #write(
    dataset: Dataset,
    name: string,
    stored: RecordColumns | undefined,
    merged: RecordColumns | undefined,
    { origin, at }: PutHow,
  ): Promise<boolean> {
    const set = this.#entry(dataset)
    const before = set.parts.find((part) => part.partition === name)
    if (!merged) {
      set.parts = withPart(set.parts, name, undefined)
      await this.#revise(dataset, name, [stored, merged], at)
      return before !== undefined
    }
    const made = await encoded(merged, { ...dataset.columns, ...dataset.stored })
    const isSound = before?.contract === contractVersion(dataset) && !this.#replaced.includes(before.file)
    // An earlier version may have laid the same rows out otherwise.
    const isSame = () => stored?.length === merged.length && rowsDigest(stored) === rowsDigest(merged)
    if (isSound && (before.sha256 === made.sum || isSame())) return false
    await this.#revise(dataset, name, [stored, merged], at)
    const origins = [...new Set([...(before?.origin ?? []), origin])]
    const part = await this.#writePart(dataset, `${dataset.name}/${name}`, made, origins)
    set.parts = withPart(set.parts, name, { partition: name, ...part })
    return true
  }

  /** @param path of its file, without the mark of this writer */
  async #writePart(
    dataset: Dataset,
    path: string,
    { sum, ...made }: EncodedPart,
    origin: readonly string[],
  ): Promise<Omit<PartEntry, 'partition'>> {
    const file = `${path}.${this.#session.mark(sum)}.parquet`
    await this.#session.writePart({ dataset, file, ...made })
    const about = { file, bytes: made.bytes.length, sha256: sum, origin }
    const isRevision = path.startsWith(`${revisionsFolder}/`)
    return { ...about, ...factsOf(dataset, made.rows, isRevision), contract: contractVersion(dataset) }
  }

  /** Keeps what a change took from a partition, and that what it brought was not there before. */
  async #revise(
    dataset: Dataset,
    name: string,
    [before = emptyColumns(dataset), after = emptyColumns(dataset)]: readonly (RecordColumns | undefined)[],
    at: string | undefined,
  ): Promise<void> {
    const entry = this.#entry(dataset)
    const rows = { before, after }
    const isTimed = timedScopes(entry.ledger).length > 0
    if (!isTimed && !(isObservedByRow(dataset) && (at ?? entry.revised))) return
    const part = entry.revised?.find(({ partition }) => partition === name)
    const earlier = part && (await this.#session.owning(() => this.#store.readPart(dataset, part)))
    if (at === undefined) {
      for (const [scope, days] of daysOfChanges(dataset, rows)) forget(entry, scope, days)
      if (isObservedByRow(dataset) && earlier)
        await this.#writeRevised(dataset, name, remainingRevisions(dataset, earlier, rows))
      return
    }
    const known = (scope: string, day: string): DayRecord | undefined => recordOf(entry.ledger, scope, day)
    const own = revisionsOf(dataset, rows, { earlier, recordOf: known }, at)
    if (!own) return
    this.#revisions.set(dataset.name, (this.#revisions.get(dataset.name) ?? 0) + settledRevisions(own).length)
    await this.#writeRevised(dataset, name, together(dataset, earlier ? [earlier, own] : [own]))
  }

  async #writeRevised(dataset: Dataset, name: string, rows: RecordColumns): Promise<void> {
    const entry = this.#entry(dataset)
    const made = rows.length > 0 ? await encoded(rows, revisionColumns(dataset)) : undefined
    const path = `${revisionsFolder}/${dataset.name}/${name}`
    const part = made && (await this.#writePart(dataset, path, made, [cachedOrigin]))
    entry.revised = withPart(entry.revised ?? [], name, part && { partition: name, ...part })
    if (entry.revised.length === 0) delete entry.revised
  }

  /**
   * Writes a part as parts are written now, under the present declaration, or lets go of it. What a service covers is void where
   * the declaration was another: what has come to the rows since is asked for again.
   * @returns whether the archive has the part still, and it is another file
   */
  async rewrite(
    dataset: Dataset,
    { file, partition: name, origin, sha256: sum, contract }: PartEntry,
    rows?: RecordColumns,
  ): Promise<boolean> {
    const entry = this.#entry(dataset)
    if (![...entry.parts, ...(entry.revised ?? [])].some((part) => part.file === file)) return false
    const isRevision = file.startsWith(`${revisionsFolder}/`)
    const columns = isRevision ? revisionColumns(dataset) : { ...dataset.columns, ...dataset.stored }
    const path = file.replace(/\.[0-9a-f]{12}\.parquet$/, '')
    const again = rows && (await encoded(rows, columns))
    if (again?.sum === sum && contract === contractVersion(dataset)) return false
    const made = again && (await this.#writePart(dataset, path, again, origin))
    const part = made && { partition: name, ...made }
    if (isRevision) entry.revised = withPart(entry.revised ?? [], name, part)
    if (entry.revised?.length === 0) delete entry.revised
    if (!isRevision) entry.parts = withPart(entry.parts, name, part)
    return true
  }

  /** Says that all of a dataset is of the present declaration: of a service only from when on it is wanted, and when it was seen. */
  renew(dataset: Dataset): void {
    const entry = this.#entry(dataset)
    if (!entry.kept) return
    const { latest: _, unsent: __, ...kept } = entry.kept
    entry.kept = { ...kept, contract: contractVersion(dataset) }
    setLedger(entry, withoutProofs(entry.ledger ?? []))
    delete entry.waiting
  }

  /** Lets go of revisions that can not be read: since when the rows of their days are known can not be told without. */
  dropRevised(dataset: Dataset, part: PartEntry): void {
    const entry = this.#datasets[dataset.name]
    if (!entry) return
    entry.revised = (entry.revised ?? []).filter(({ file }) => file !== part.file)
    if (entry.revised.length === 0) delete entry.revised
    const { from, to = '' } = part
    const days: DayRanges = from === undefined || dataset.stored?.computed_on ? allDays : [[from, to]]
    for (const scope of timedScopes(entry.ledger)) forget(entry, scope, days)
  }

  /** Rows that are stored. Those that are lost give way to rows of all their days, as many as they were. */
  async #stored(
    dataset: Dataset,
    before: PartEntry,
    rows: RecordColumns = emptyColumns(dataset),
  ): Promise<RecordColumns | undefined> {
    try {
      return await this.#store.readPart(dataset, before)
    } catch (error) {
      const { from, to } = span(dataset, rows)
      const isAll = from && to && before.from && before.to && from <= before.from && to >= before.to
      const isKept = this.#datasets[dataset.name]?.kept !== undefined
      if (!(error instanceof LostFileError) || !isAll || rows.length < before.rows || isKept) throw error
      this.#replaced.push(before.file)
      return undefined
    }
  }

  /** What is cached under another declaration of the dataset is void. */
  #currentEntry(dataset: Dataset): OpenEntry {
    const entry = currentEntry(dataset, this.#datasets[dataset.name])
    this.#datasets[dataset.name] = entry
    return entry
  }

  #entry({ name }: Dataset): OpenEntry {
    this.#datasets[name] ??= { parts: [] }
    return this.#datasets[name]
  }

  /** What stands beside a dataset's rows (the `meta` of news); the newest import counts. */
  putBeside(dataset: Dataset, beside: Readonly<Record<string, unknown>>): void {
    this.#entry(dataset).beside = beside
  }

  /** Says of a dataset that rows may be missing between those it has. */
  markPartial(dataset: Dataset): void {
    this.#entry(dataset).partial = true
  }

  /**
   * Says of a dataset that every row of some days is there, though a day may have none. With a time they are known since then,
   * unless rows were among them before.
   */
  markCovered(dataset: Dataset, more: Covered): void {
    const set = this.#entry(dataset)
    const { asked, symbols, days } = more
    const isTimed = asked !== undefined && symbols === 'all' && !isObservedByRow(dataset)
    const parts = this.manifest.datasets[dataset.name]?.parts ?? []
    const before = joinRanges(parts.flatMap(({ from, to }) => (from && to ? [[from, to] as const] : [])))
    setLedger(set, withImport(set.ledger ?? [], more, isTimed ? daysWithout(days, before) : []))
  }

  /** Says that an answer is all there is of a day, and since when its rows are known. */
  markAnswered(dataset: Dataset, answer: AnsweredDays): void {
    const set = this.#entry(dataset)
    setLedger(set, withAnswer(set.ledger ?? [], answer))
  }

  /**
   * A day of auction ticks as its Parquet bytes, under the name that the vendor gives such files; beside it, where the
   * archive has other bytes of that day, which somebody may be reading.
   */
  async putTicks(day: string, bytes: Uint8Array, rows: number): Promise<void> {
    const sum = sha256(bytes)
    const before = this.#ticks.get(day)
    if (before?.sha256 === sum) return
    const file = tickFile(day, this.#session.mark(sum), before)
    await this.#session.write(file, bytes)
    this.#ticks.set(day, { day, file, rows, bytes: bytes.length, sha256: sum })
  }

  /**
   * A day of auction ticks from a file of the same file system, whole and on the disk, which is moved under its name: that of
   * `putTicks`, or that which the archive has these bytes under.
   */
  async adoptTicks(entry: Omit<TickEntry, 'file'>, staged: string): Promise<void> {
    const before = this.#ticks.get(entry.day)
    const isSame = before?.sha256 === entry.sha256
    const file = isSame ? before.file : tickFile(entry.day, this.#session.mark(entry.sha256), before)
    await this.#session.move(staged, file, entry.bytes, isSame)
    this.#ticks.set(entry.day, { ...entry, file })
  }

  /** Lets go of a part that can not be read; what a cache keeps of its dataset is void then. */
  dropPart(name: string, { file }: PartEntry): void {
    this.uncover(name)
    const entry = this.#datasets[name]
    if (entry) entry.parts = entry.parts.filter((part) => part.file !== file)
  }

  dropTicks(day: string): void {
    this.#ticks.delete(day)
  }

  /**
   * Keeps whole months of bars by code, beside their days: `most` of those that have no such file yet, the newest first. They are
   * read from a directory alone: another store lets go of those that a copy brought.
   * @returns how many of them were made
   * @throws LostFileError when a day of such a month is not what was written
   */
  async keepByCode(dataset: Dataset, most = Number.POSITIVE_INFINITY): Promise<number> {
    const entry = this.#datasets[dataset.name]
    if (!entry || this.#store.dir === undefined) {
      delete entry?.byCode
      return 0
    }
    const make = (month: string, days: readonly PartEntry[]) => this.#writeMonth(dataset, month, days)
    const { files, made } = await monthsByCode(dataset, entry, most, make)
    if (files.length > 0) entry.byCode = files
    else delete entry.byCode
    return made
  }

  async #writeMonth(dataset: Dataset, month: string, days: readonly PartEntry[]): Promise<Omit<CodesEntry, 'of'>[]> {
    const read = async (): Promise<RecordColumns> => {
      const rows: RecordColumns[] = []
      for (const day of days) rows.push(await this.#session.owning(() => this.#store.readPart(dataset, day)))
      return together(dataset, rows)
    }
    const files: Omit<CodesEntry, 'of'>[] = []
    for (const { codes, rows } of byCode(dataset, await read())) {
      const { bytes, sum } = await encoded(rows, { ...dataset.columns, ...dataset.stored }, byCodeLayout)
      const partition = `${month}-${String(files.length).padStart(3, '0')}`
      const file = `${byCodeFolder}/${dataset.name}/${partition}.${this.#session.mark(sum)}.parquet`
      await this.#session.write(file, bytes)
      files.push({ partition, file, rows: rows.length, bytes: bytes.length, sha256: sum, codes })
    }
    return files
  }

  /** Puts the bytes of a part that is lost where they were. */
  async restore({ file }: PartEntry, bytes: Uint8Array): Promise<void> {
    await this.#session.write(file, bytes)
  }

  /** Lets go of the files by code of a month. */
  dropByCode(name: string, { of }: CodesEntry): void {
    const entry = this.#datasets[name]
    if (entry?.byCode) entry.byCode = entry.byCode.filter((one) => one.of !== of)
  }

  /**
   * Shows all that was put, in one step, and clears away files that no manifest names any more.
   * @throws QuotebookError ARCHIVE_BUSY when another process has taken the archive, ARCHIVE_CHANGED when something else has
   * changed it; it is left as it is then
   */
  async commit(): Promise<void> {
    try {
      for (const dataset of this.#covers.keys()) await this.#putCovers(dataset)
      for (const name of Object.keys(this.#datasets)) await this.keepByCode(datasetOf(name), 0)
    } catch (error) {
      await this.abort()
      throw error
    }
    await this.#session.commit({
      ...emptyManifest,
      ...(this.#about === undefined ? {} : { about: this.#about }),
      ...this.#declared(),
      ...(this.manifest.unknown && { unknown: this.manifest.unknown }),
      datasets: this.#datasets,
      ticks: [...this.#ticks.values()].sort((a, b) => (a.day < b.day ? -1 : 1)),
    })
  }

  /** Declarations of what it holds that is none of the vendor's. */
  #declared(): Pick<Manifest, 'own'> {
    const own = ownDatasets().flatMap((one) => (one.own && this.#datasets[one.name] ? JSON.stringify(one.own) : []))
    return own.length > 0 ? { own } : {}
  }

  /** Leaves the archive as it was. */
  async abort(): Promise<void> {
    await this.#session.abort()
  }
}
