import type { Table } from 'apache-arrow'
import { firstTickYear } from '../../../contract/catalogue/file-download.js'
import { writtenDate } from '../../../contract/date.js'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import { type Language, languages } from '../../../contract/language.js'
import { checkOptions, type OptionKinds } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { say } from '../../../contract/shown-language.js'
import { strings } from '../../../frame/read-columns.js'
import { toldAsWhole } from '../../../frame/show/notebook-output.js'
import { provenance, stateOf } from '../../../frame/table/provenance.js'
import type { Market } from '../../../market.js'
import { joinIndex } from '../../analysis/southbound/index-join.js'
import { southboundFlows } from '../../analysis/southbound/southbound-flows.js'
import { checkWorst } from '../../checks/all-checks.js'
import { checkSections, datasetsShown, renderReport as render } from '../render-report.js'
import { datesOf } from '../report-day.js'
import type { ReportInput, SectionName } from '../report-tables.js'
import { meant, windows } from '../section/day-figures.js'
import {
  type LoadedTables,
  lastDaysOf,
  lastDocumentDate,
  latestTradingDays,
  loadable,
  loadTables,
  type ReportDays,
  tablesToCheck,
} from './load-tables.js'

/** Options of `report`. */
export interface ReportOptions {
  readonly title?: string
  /** Trading days up to `end`. Default 60. */
  readonly days?: number
  /** Last trading day, `YYYYMMDD`: the report as if the source had none after it. Unless given, the latest of the source. */
  readonly end?: string
  /** Last date of news, announcements and answers. Default `end`; without either there is no limit. */
  readonly until?: string
  /** Language of the page. Default English. */
  readonly language?: Language
  /** Makes charts interactive for mouse, finger and keys, by one inline script of about 600 kB (default: off). */
  readonly interactive?: boolean
  /** The sections wanted, by name (default: all). The first screen is always there. */
  readonly sections?: readonly SectionName[]
  /** A line of each section in place of the section: one page of paper, and one and a half screens of a telephone. */
  readonly brief?: boolean
  /** Called when a step begins: how many steps are done, of how many, and what comes. */
  readonly onStep?: (done: number, of: number, what: string) => void
}

const reportKinds: OptionKinds<ReportOptions> = {
  title: 'text',
  days: 'a number',
  end: 'text',
  until: 'text',
  language: languages,
  interactive: 'true or false',
  sections: 'an array',
  brief: 'true or false',
  onStep: 'a function',
}

/** The index that the flows are compared with, where the source has it. */
const index = '全A等权'

function flowsOf({ southbound_top10: top, theme_daily: indices }: LoadedTables): ReportInput['flows'] {
  if (!top) return undefined
  const flows = southboundFlows(top)
  if (!indices || !['name', 'symbol'].some((column) => strings(indices, column).includes(index))) return { flows }
  const joined = (lag: number) => joinIndex(flows, indices, { on: index, lag })
  return { flows, sameDay: joined(0), nextDay: joined(1) }
}

/** The days before those of a report that its means reach back to, of the datasets that it has; nothing where it has them itself. */
async function loadEarlier(market: Market, { first, latest, all }: ReportDays, tables: LoadedTables) {
  const reach = Math.max(...windows)
  if (all.length >= reach) return undefined
  const days = (await lastDaysOf(market, latest, reach)).all.filter((day) => day < first)
  const names = meant.filter((name) => tables[name])
  const from = days[0]
  if (from === undefined || names.length === 0) return undefined
  return loadTables(market, { first: from, latest: days.at(-1) ?? from, all: days }, names)
}

/** All that a report of a source is made from: the tables of its last days, and the checks over them. */
export async function reportInput(market: Market, options: ReportOptions = {}): Promise<ReportInput> {
  checkOptions(options, reportKinds, 'report')
  const sections = options.sections && checkSections(options.sections)
  const wanted = sections && datasetsShown(sections)
  const names = loadable.filter((name) => wanted?.includes(name) ?? true)
  const steps = names.length + 3
  const step = (done: number, what: string): void => options.onStep?.(done, steps, what)
  step(0, 'days')
  const asked = options.days ?? 60
  const [end, until] = [options.end, options.until].map((day) => writtenDate(day) ?? day)
  const days = await latestTradingDays(market, asked, { end, until })
  // Between questions to the source: where these are of one state of it, the ticks are too.
  step(1, 'auction ticks')
  const found = wanted && !sections?.includes('auction') ? {} : await latestTicks(market, days)
  const loaded = await loadTables(market, days, names, (done, name) => step(done + 2, name))
  const { tables, more } = loaded
  const earlier = await loadEarlier(market, days, tables)
  if (end !== undefined && datesOf({ tables }).date !== end)
    throw new QuotebookError('ARCHIVE', sentence`${market.source.name} has no daily data of ${end}`)
  step(names.length + 2, 'checks')
  // Of a source without any documents none is stated, so that the page can be made again.
  const lastDocument = lastDocumentDate(tables)
  const origin = await originOf(market, [...(days.shown ?? []), ...loaded.answers, ...(earlier?.answers ?? [])])
  return {
    title: options.title,
    language: options.language,
    interactive: options.interactive,
    sections,
    wanted,
    brief: options.brief,
    source: origin,
    asked,
    end: days.latest,
    until: until ?? (lastDocument && (end ?? lastDocument)),
    inferred: days.inferred,
    tables,
    more,
    ...(earlier && { earlier: { tables: earlier.tables, flows: flowsOf(earlier.tables) } }),
    ...found,
    checks: await checkWorst(tablesToCheck(loaded)),
    flows: flowsOf(tables),
  }
}

/**
 * Writes a market report on a source's last days as one self-contained HTML page. It contains no clock time: the same
 * data gives the same bytes.
 * @throws QuotebookError ARCHIVE if the source has no daily data, or none of `end`; INVALID_VALUE for an `end` without
 * trading
 */
export async function report(market: Market, options: ReportOptions = {}): Promise<string> {
  return toldAsWhole(async (tell) => {
    let all = 0
    const tellStep = (done: number, of: number, what: string): void => {
      all = of
      tell?.({ done, of, text: say`report: ${done} of ${of}, ${say(what)}` })
    }
    const page = await render(await reportInput(market, { ...(tell && { onStep: tellStep }), ...options }))
    tell?.({ done: all, of: all, text: say`report: ${all} of ${all}` })
    return page
  })
}

/** What a report says of where its tables came from: one state only where every one of them is of it. */
export async function originOf(market: Market, tables: readonly Table[]): Promise<ReportInput['source']> {
  const { name, about } = (await market.source.identity?.()) ?? {}
  const { state, note } = stateOf(tables.map((table) => provenance(table) ?? {}))
  return {
    name: name ?? String(market.source.name),
    ...(about === undefined ? {} : { about }),
    ...(state === undefined ? {} : { state }),
    ...(note === undefined ? {} : { changed: true }),
  }
}

type Found = Pick<ReportInput, 'ticks' | 'withoutTicks'>

function codeOf(error: unknown): string | undefined {
  return error instanceof QuotebookError ? error.code : undefined
}

async function latestDay(market: Market, latest: string): Promise<string | undefined> {
  for (let year = Number(latest.slice(0, 4)); year >= firstTickYear; year--) {
    const day = (await market.ticks.days(year)).filter((one) => one <= latest).at(-1)
    if (day !== undefined) return day
  }
  return undefined
}

/** The ticks of the last day that has a file; or why a service that has some can not be read. */
export async function latestTicks(market: Market, { latest }: ReportDays): Promise<Found> {
  if (!market.archive && !market.source.get) return {}
  let day: string | undefined
  try {
    day = await latestDay(market, latest)
  } catch (error) {
    if (codeOf(error) === 'FORBIDDEN')
      return { withoutTicks: sentence`the plan of the key does not include the auction-tick files` }
    if (codeOf(error) === 'FILE') return { withoutTicks: messageOf(error) }
    throw error
  }
  return day === undefined ? {} : { ticks: { day, table: await market.ticks.read(day) } }
}
