import type { Dataset } from '../../../contract/dataset.js'
import { WordedError } from '../../../contract/error.js'
import type { Words } from '../../../contract/sentence.js'
import { codeMatcher } from '../../../contract/symbol.js'
import { gatherRows } from '../../../frame/table/gather-cells.js'
import { groupItems } from '../../../frame/table/group-items.js'
import type { MissingBars } from '../../../frame/table/provenance.js'
import { type Asked, symbolColumn } from '../plan/asked.js'
import type { PlannedQuery } from '../plan/query-plan.js'
import { codeGroups, distinctCodes, type QueryRange } from '../plan/query-range.js'
import { distinctValues, type ReplyChunk, rowTexts } from '../reply/reply-chunk.js'
import { mostOfDay, type ObservedSizes, type RangeReply } from './reply-sizes.js'

/** Two answers to the same question are of different rows. */
export class ContradictionError extends WordedError {
  /** What was asked for. */
  readonly range: QueryRange
  constructor(message: Words, range: QueryRange) {
    super(message)
    this.range = range
  }
}

/** Whether two ranges may have rows in common. */
export function isBeside(a: QueryRange, b: QueryRange): boolean {
  const [own, other] = [a, b].map(({ day, days }) => (day === undefined ? days : { from: day, to: day }))
  if (own && other && ((own.from > other.to && !('open' in other)) || (other.from > own.to && !('open' in own))))
    return false
  if (a.minute !== undefined && b.minute !== undefined && a.minute !== b.minute) return false
  return !a.symbols?.length || !b.symbols?.length || a.symbols.some(codeMatcher(b.symbols))
}

/** A cell of the grid without a row: a bar of a code and a day, a code on a day, or a day with fewer rows than it has elsewhere. */
export interface Hole {
  readonly code: string
  readonly day: string
  /** Of a bar; '' where a day is one row. */
  readonly close: string
  /** The code has rows before and after it. */
  readonly isInside: boolean
}

/** What is missing in some replies and is to be asked for by itself. */
export interface AbsentRequest {
  readonly range: QueryRange
  readonly holes: readonly Hole[]
  /** Replies that should hold it. */
  readonly of: readonly RangeReply[]
  /** Codes or days of which its one reply has no row at all. */
  readonly isOfKeys?: true
}

/** A reply, and what it has to answer for: what was asked for by itself and is not there is left out. */
export interface AskedReply extends RangeReply {
  readonly asked: Asked
}

/** Whether a reply should hold what is missing. */
export function isAsked({ symbols, days, day: one, minute }: QueryRange, { code, day, close }: Hole): boolean {
  if (day !== '' && days && (day < days.from || (day > days.to && !days.open))) return false
  if (day !== '' && one !== undefined && day !== one) return false
  if (close !== '' && minute !== undefined && close !== minute) return false
  return code === '' || !symbols || codeMatcher(symbols)(code)
}

/** Codes by bar or by day, and which of them have a row. */
interface Grid {
  /** Where codes and bars are to be named. */
  readonly base: QueryRange
  readonly day?: string
  readonly slots: readonly string[]
  readonly there: ReadonlyMap<string, ReadonlySet<string>>
  readonly of: readonly RangeReply[]
}

/** Adds the slots in which each code of a reply has a row. */
export function addCells(
  there: Map<string, Set<string>>,
  { columns: { columns: of } }: ReplyChunk,
  code: string,
  slot: string,
): void {
  const [codes, slots] = [of.get(code), of.get(slot)]
  if (codes?.type !== 'dictionary' || slots?.type !== 'dictionary') return
  const width = slots.dictionary.length
  const seen = new Uint8Array(codes.dictionary.length * width)
  for (let row = 0; row < codes.data.length; row++) {
    const [at, on] = [codes.data[row] as number, slots.data[row] as number]
    if (at >= 0 && on >= 0) seen[at * width + on] = 1
  }
  for (const [at, word] of codes.dictionary.entries()) {
    const own = slots.dictionary.filter((_, on) => seen[at * width + on] === 1)
    if (own.length === 0) continue
    const known = there.get(word)
    if (known) for (const one of own) known.add(one)
    else there.set(word, new Set(own))
  }
}

function barGrids({ asked, today }: PlannedQuery, replies: readonly RangeReply[], column: string): Grid[] {
  const { closes: buckets = [] } = asked
  if (buckets.length < 2) return []
  const byDay = groupItems(
    replies.filter(({ range, counts }) => counts.rows > 0 && (range.symbols || range.minute !== undefined)),
    ({ counts }) => counts.days[0] as string,
  )
  return [...byDay].map(([day, of]) => {
    const there = new Map<string, Set<string>>()
    for (const { chunk } of of) addCells(there, chunk, column, 'trademin')
    const closes = new Set([...there.values()].flatMap((own) => [...own]))
    const last = [...closes].sort().at(-1) ?? ''
    const { symbols: _, minute: __, ...base } = (of[0] as RangeReply).range
    return { base, day, slots: day < today ? buckets : buckets.filter((close) => close <= last), there, of }
  })
}

function dayGrid({ dataset: { key, day = '' } }: PlannedQuery, replies: readonly RangeReply[], column: string): Grid[] {
  const of = replies.filter(({ range }) => range.days)
  if (of.length === 0 || key.length !== 2 || !key.includes(day)) return []
  const there = new Map<string, Set<string>>()
  for (const { chunk } of of) addCells(there, chunk, column, day)
  const slots = [...new Set(of.flatMap(({ counts }) => counts.days))].sort()
  const { symbols: _, ...base } = (of[0] as RangeReply).range
  return [{ base, slots, there, of }]
}

/** The slots in which a code has no row: of days those between two that have one, and all where codes were named. */
function holesOf({ slots, day, of, there }: Grid, isSettled: (hole: Hole) => boolean): Hole[] {
  const isNamed = of.every(({ range }) => range.symbols)
  return [...there].flatMap(([code, own]) => {
    if (own.size === slots.length) return []
    const known = slots.map((slot) => own.has(slot))
    const [first, last] = [known.indexOf(true), known.lastIndexOf(true)]
    return slots.flatMap((slot, at): Hole[] => {
      const isInside = day !== undefined || (at > first && at < last)
      if (known[at] || !(isInside || isNamed)) return []
      const hole = { code, isInside, ...(day === undefined ? { day: slot, close: '' } : { day, close: slot }) }
      return isSettled(hole) ? [] : [hole]
    })
  })
}

function codesOf(holes: readonly Hole[]): readonly string[] {
  return distinctCodes([...new Set(holes.map(({ code }) => code))])
}

/** Few codes are asked for together over all that they lack; where most of them lack something, each bar or day. One always by itself. */
function requestsOf(grid: Grid, holes: readonly Hole[]): AbsentRequest[] {
  const { base, of, there, day } = grid
  if (holes.length === 0) return []
  const symbols = codesOf(holes)
  const daysOf = (list: readonly Hole[]): QueryRange => {
    const days = list.map((hole) => hole.day).sort()
    return day === undefined ? { days: { from: days[0] as string, to: days.at(-1) as string } } : {}
  }
  const bySlot = (own: readonly Hole[]): AbsentRequest[] =>
    [...groupItems(own, (hole) => hole.close || hole.day)].map(([slot, some]) => {
      const at = day === undefined ? daysOf(some) : { minute: slot }
      return { range: { ...base, symbols: codesOf(some), ...at }, holes: some, of }
    })
  const byCode = (own: readonly Hole[]): AbsentRequest => {
    return { range: { ...base, symbols: codesOf(own), ...daysOf(own) }, holes: own, of }
  }
  const first = [...groupItems(holes, ({ code }) => code).values()].slice(0, symbols.length > 1 ? 1 : 0)
  const rest = 2 * symbols.length <= there.size ? [byCode(holes)] : bySlot(holes)
  return [...first.map(byCode), ...rest]
}

/** A day that may lack some of its rows, or a code or a day of which a reply has none. */
const wholeKey = (code: string, day: string): Hole => ({ code, day, close: '', isInside: false })

/** Days that have fewer rows than a day has, where that is known without codes. */
function shortDays({ dataset, query }: PlannedQuery, reply: RangeReply): AbsentRequest[] {
  const { range, counts } = reply
  const most = mostOfDay(dataset, query) ?? 0
  if (range.symbols || !range.days || counts.days.length < 2) return []
  const short = counts.days.filter((day) => (counts.perDay.get(day) ?? 0) < most)
  return short.map((day) => ({
    range: { ...range, days: { from: day, to: day } },
    holes: [wholeKey('', day)],
    of: [reply],
  }))
}

function spanOf(run: readonly string[]): Pick<QueryRange, 'days'> {
  return { days: { from: run[0] as string, to: run.at(-1) as string } }
}

/**
 * Codes and trading days of which a reply has no row, none more at once than replies are known to answer. Of a reply without rows,
 * where it is larger than any that is known to be answered.
 */
function absentKeys(reply: AskedReply, sizes: ObservedSizes, today: string): AbsentRequest[] {
  const { range, counts, asked } = reply
  const { codes: named, days = [] } = asked
  const hasNone = counts.rows === 0
  const codes =
    !named || (hasNone && sizes.answersCodes(named.length)) ? [] : named.filter((code) => !counts.isThere(code))
  const isAnswered = !range.days || (hasNone && sizes.answersDays(days))
  const isDue = (day: string): boolean => day <= today || !sizes.answersDays(days)
  const gone = new Set(isAnswered ? [] : days.filter((day) => !counts.perDay.has(day) && isDue(day)))
  const left = named?.filter((code) => !codes.includes(code))
  const runs = left?.length === 0 ? [] : sizes.runs(days, (day) => gone.has(day))
  const groups = codes.length === 0 ? [] : codeGroups(codes, Math.max(1, sizes.codes))
  const spans = range.days && !sizes.answersDays(days) ? sizes.runs(days, () => true).map(spanOf) : [{}]
  const isOfKeys = true as const
  return [
    ...runs.map((run) => {
      const own = { ...range, ...(left && { symbols: left }), ...spanOf(run) }
      return { range: own, holes: run.map((day) => wholeKey('', day)), of: [reply], isOfKeys }
    }),
    ...groups.flatMap((symbols) => {
      const holes = symbols.map((code) => wholeKey(code, ''))
      return spans.map((span) => ({ range: { ...range, symbols, ...span }, holes, of: [reply], isOfKeys }))
    }),
  ]
}

/**
 * All that some replies lack of what was asked, in as few requests as ask for it by itself: first codes and days without any row,
 * then days with too few, then cells of the grid.
 * @param open those of them of which nothing shows yet that they are whole
 */
export function absentRequests(
  planned: PlannedQuery,
  replies: readonly AskedReply[],
  open: readonly AskedReply[],
  sizes: ObservedSizes,
  isSettled: (hole: Hole) => boolean,
): AbsentRequest[] {
  const keys = open.flatMap((reply) => absentKeys(reply, sizes, planned.today))
  if (keys.length > 0) return keys
  const short = replies.flatMap((reply) => shortDays(planned, reply)).filter(({ holes }) => !holes.every(isSettled))
  const column = symbolColumn(planned.dataset)
  if (short.length > 0 || column === undefined) return short
  const grids = planned.dataset.columns.trademin
    ? barGrids(planned, replies, column)
    : dayGrid(planned, replies, column)
  return grids.flatMap((grid) => requestsOf(grid, holesOf(grid, isSettled)))
}

/** The places of the rows of a reply that a range asks for. */
export function rowsWithin(
  dataset: Dataset,
  { columns }: ReplyChunk,
  { symbols, days, day, minute }: QueryRange,
): number[] {
  const [from, to] = [days?.from ?? day, days?.to ?? day]
  const tests: [string, ((word: string) => boolean) | undefined][] = [
    [symbolColumn(dataset) ?? '', symbols && codeMatcher(symbols)],
    [dataset.day ?? '', from !== undefined && to !== undefined ? (on) => on >= from && on <= to : undefined],
    ['trademin', minute === undefined ? undefined : (close) => close === minute],
  ]
  const wanted = tests.flatMap(([name, test]) => {
    const values = columns.columns.get(name)
    return test && values?.type === 'dictionary' ? [{ data: values.data, isIn: values.dictionary.map(test) }] : []
  })
  const rows: number[] = []
  for (let row = 0; row < columns.length; row++) {
    if (wanted.every(({ data, isIn }) => isIn[data[row] as number])) rows.push(row)
  }
  return rows
}

/** Whether a reply has rows that change while the session runs. */
function isRunning({ day = '', live }: Dataset, { columns }: ReplyChunk, today: string): boolean {
  return live !== undefined && distinctValues(columns, day).some((word) => word >= today)
}

/**
 * What asking for holes showed. `other`: rows have other cells than before. `less`: rows that were there did not come, so that
 * nothing is shown. `more`: rows came that were missing. `same`: they are not there. Of the running day only keys are compared.
 */
export function comparedWith(
  { dataset, today }: PlannedQuery,
  { range, of }: AbsentRequest,
  parts: readonly RangeReply[],
): 'same' | 'more' | 'less' | 'other' {
  const filled = [...of, ...parts].filter(({ chunk }) => chunk.columns.length > 0)
  const all = [...(filled[0]?.chunk.columns.columns.keys() ?? [])]
  const compared = filled.some(({ chunk }) => isRunning(dataset, chunk, today)) ? dataset.key : all
  const names = compared.filter((name) => filled.every(({ chunk }) => chunk.columns.columns.has(name)))
  const byKey = (list: readonly RangeReply[]): Map<string, string> =>
    new Map(
      list.flatMap(({ chunk }) => {
        const own = gatherRows(chunk.columns, Int32Array.from(rowsWithin(dataset, chunk, range)))
        if (own.length === 0) return []
        const texts = rowTexts(own, 0, own.length, names)
        return rowTexts(own, 0, own.length, dataset.key).map((key, at) => [key, texts[at] as string] as const)
      }),
    )
  const [before, now] = [byKey(of), byKey(parts)]
  if ([...now].some(([key, text]) => (before.get(key) ?? text) !== text)) return 'other'
  if ([...now.keys()].some((key) => !before.has(key))) return 'more'
  return now.size < before.size ? 'less' : 'same'
}

/** What a reply has to answer for without codes and days that were asked for by themselves and are not there. */
export function withoutKeys({ codes, days, closes }: Asked, holes: readonly Hole[]): Asked {
  const gone = new Set(holes.map(({ code, day }) => code || day))
  const left = (list: readonly string[] | undefined): readonly string[] | undefined =>
    list?.filter((key) => !gone.has(key))
  return { codes: left(codes), days: left(days), closes }
}

/** Holes for which rows came when they were asked for by themselves; all of a day that has more than before. */
export function filledHoles(dataset: Dataset, { holes }: AbsentRequest, parts: readonly RangeReply[]): readonly Hole[] {
  return holes.filter(({ code, day, close }) => {
    const range = {
      ...(day === '' ? {} : { days: { from: day, to: day } }),
      ...(code === '' ? {} : { symbols: [code] }),
      ...(close === '' ? {} : { minute: close }),
    }
    return parts.some(({ chunk }) => rowsWithin(dataset, chunk, range).length > 0)
  })
}

/** Holes between rows by day and code, in order. */
export function absentBars(holes: readonly Hole[]): MissingBars[] {
  const groups = groupItems(
    holes.filter(({ isInside }) => isInside),
    ({ code, day }) => `${day} ${code}`,
  )
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => {
      const { code: symbol, day, close } = own[0] as Hole
      return { symbol, day, ...(close === '' ? {} : { closes: own.map((hole) => hole.close).sort() }) }
    })
}
