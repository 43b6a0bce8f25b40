import { inferredNote } from '../../../contract/calendar.js'
import { type DatasetName, datasetNames, datasetOf } from '../../../contract/catalogue.js'
import type { Dataset } from '../../../contract/dataset.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { type Provenance, provenance } from '../../../frame/table/provenance.js'
import { titleIn } from '../../checks/check.js'
import { checkState, gradesOf } from '../../checks/check-summary.js'
import { formatCount, many } from '../format-number.js'
import { type Html, type HtmlPart, html } from '../html.js'
import { daySpan } from '../page-header.js'
import { onceOf, type ReportDay } from '../report-day.js'
import type { DayFigure } from './day-figures.js'

/** What a reader must know of the data before reading: `red` some rows contradict, `amber` something is missing or unproven. */
export interface SourceHealth {
  readonly light: 'green' | 'amber' | 'red'
  readonly reasons: readonly string[]
  /** Datasets with rows that contradict, are not proven whole, or suspect. */
  readonly doubted: readonly Doubt[]
}

interface Doubt {
  readonly dataset: DatasetName
  /** What is doubted of its rows; absent where it is all of them, or the rows that are missing. */
  readonly columns?: readonly string[]
}

/** Names in a list, of many the first. */
function named(names: readonly string[], say: Say): string {
  const shown = names.slice(0, 4).join(say(fact('SOURCE_HEALTH', ', ')))
  return names.length > 4 ? say`${shown} and ${names.length - 4} more` : shown
}

/** A reason with the names that it holds of; none where it holds of none. */
function reason(names: readonly string[], say: Say, what: string): string[] {
  return names.length === 0 ? [] : [`${what}${say(': ')}${named(names, say)}`]
}

/** Every run of a check, with its title. */
const runsOf = ({ checks, say }: ReportDay) =>
  checks.flatMap(({ check, runs }) =>
    runs.map(({ label, result }) => ({ check, result, title: titleIn(check, label, say.language) })),
  )

function contradicted(today: ReportDay): string[] {
  const wrong = runsOf(today).filter(({ result }) => !result.ok)
  return wrong.map(({ check, result, title }) => {
    const rows = formatCount(gradesOf(check, result).contradicted)
    return today.say`${title}: ${rows} of ${many(result.rows, 'row')}`
  })
}

/** What the contradicted rows are doubted in: columns where every one of them tells its own. */
function contradictions(today: ReportDay): Doubt[] {
  return runsOf(today).flatMap(({ check, result }): Doubt[] => {
    if (result.ok) return []
    const { dataset } = check
    const known = result.doubted.size === gradesOf(check, result).contradicted
    return [known ? { dataset, columns: [...new Set([...result.doubted.values()].flat())] } : { dataset }]
  })
}

function openChecks(today: ReportDay): string[] {
  const open = runsOf(today).filter(({ check, result }) => checkState(check, result) === 'open')
  return open.map(({ title }) => title)
}

/** Datasets that were asked for and of which the report has no rows; those that can't be loaded as a whole do not count. */
function missingDatasets({ of, wanted = datasetNames }: ReportDay): string[] {
  return wanted.filter((name) => {
    const { load }: Dataset = datasetOf(name)
    return load !== undefined && load.kind !== 'tick-share' && !of(name)
  })
}

/** Datasets of which a table with rows is said to be so. */
function datasetsThat({ of, more = [] }: ReportDay, isSo: (about: Provenance) => boolean): DatasetName[] {
  return datasetNames.filter((name) => {
    const others = more.filter(({ dataset, table }) => dataset === name && table.numRows > 0)
    const abouts = [of(name), ...others].flatMap((own) => (own && provenance(own.table)) || [])
    return abouts.some(isSo)
  })
}

/** Datasets with a row on every trading day that lack some of the days of the report. */
function holes({ of, days, asked = 0, say }: ReportDay): string[] {
  const lacking = datasetNames.flatMap((name) => {
    const dataset: Dataset = datasetOf(name)
    const own = of(name)
    if (!own || !dataset.everyTradingDay || dataset.load?.kind === 'each' || dataset.load?.kind === 'once') return []
    const there = new Set(own.days)
    const count = days.filter((date) => !there.has(date)).length
    return count > 0 ? [say`${name} lacks ${many(count, 'day')}`] : []
  })
  const count = formatCount(days.length)
  const short = say`${count} of the ${many(asked, 'day')} asked for`
  const all = [...(days.length < asked ? [short] : []), ...lacking]
  return all.length === 0 ? [] : [named(all, say)]
}

/** The state of the data in a light and its reasons, the worst first. */
export const sourceHealth = onceOf((today): SourceHealth => {
  const { say, source } = today
  const red = reason(contradicted(today), say, say('contradicted'))
  const unproven = datasetsThat(today, ({ complete }) => !complete)
  const inferred = inferredNote(today.inferred ?? [])
  const suspect = datasetsThat(today, (about) => about.suspect !== undefined)
  const amber = [
    ...(source.changed ? [say('the source changed while it was read')] : []),
    ...reason(unproven, say, say('not proven whole')),
    ...reason(suspect, say, say('suspect rows')),
    ...reason(missingDatasets(today), say, say('not in this source')),
    ...holes(today),
    ...(inferred === undefined ? [] : [say(inferred)]),
    ...reason(openChecks(today), say, say(fact('SOURCE_HEALTH', 'open'))),
  ]
  const whole = [...unproven, ...suspect].map((dataset) => ({ dataset }))
  const light = red.length > 0 ? 'red' : amber.length > 0 ? 'amber' : 'green'
  return { light, reasons: [...red, ...amber], doubted: [...contradictions(today), ...whole] }
})

/** First and last day with data and how many there are; and how many were asked for, if that is more. */
export function daysText({ days, asked = 0, say }: ReportDay): string {
  if (days.length === 0) return say('no days of quotes')
  const count = say(fact('TRADING_DAYS', '{count}', { count: many(days.length, 'trading day') }))
  const short = say`; ${formatCount(asked)} were asked for`
  return `${daySpan(say, days[0], days.at(-1))}${say(', ')}${count}${days.length < asked ? short : ''}`
}

const lightWords: Readonly<Record<SourceHealth['light'], (say: Say) => string>> = {
  green: (say) => say('● Green'),
  amber: (say) => say('▲ Amber'),
  red: (say) => say('■ Red'),
}

/** Whether a figure is made of what is doubted: its columns, or those that tell its rows. */
function isTouched({ source, columns }: DayFigure, doubt: Doubt): boolean {
  if (doubt.dataset !== source) return false
  const used: readonly string[] = [...columns, ...datasetOf(doubt.dataset).key]
  return doubt.columns === undefined || doubt.columns.some((name) => used.includes(name))
}

/** What the state of the data means for the figures above it; nothing where no row of a dataset is doubted. */
function meantFor(figures: readonly DayFigure[], doubted: readonly Doubt[], say: Say): string {
  if (doubted.length === 0) return ''
  const touched = figures
    .filter((figure) => figure.past && doubted.some((doubt) => isTouched(figure, doubt)))
    .map(({ label }) => label)
  return touched.length === 0
    ? say(' None of the figures above is made from what is doubted.')
    : say` Take with care above: ${touched.join(say('; '))}.`
}

/**
 * One line below the figures: the state of the data, its gravest reason, and what that means for them.
 * @param details `appendix`: the page has one, which has all reasons; else the line has them, and what leads to more
 */
export function healthLine(today: ReportDay, figures: readonly DayFigure[], details: 'appendix' | HtmlPart): Html {
  const { say } = today
  const { light, reasons, doubted } = sourceHealth(today)
  const appendix = details === 'appendix'
  const shown = appendix ? reasons.slice(0, 1) : reasons
  const more = reasons.length - shown.length
  const rest = more > 0 ? say`; ${many(more, 'more reason')}` : ''
  const why = reasons.length > 0 ? shown.join(say('; ')) : say('all whole, nothing contradicts')
  const link = appendix ? html` <a href="#appendix">${say('Details')}</a>` : details
  return html`<p class="light ${light}"><b>${lightWords[light](say)}</b> ${why}${rest}${say('.')}${meantFor(figures, doubted, say)}${link}</p>
`
}

/** The state of the data with all of its reasons, and how much of it there is. */
export function healthFacts(today: ReportDay): Html {
  const { say, of, checks } = today
  const { light, reasons } = sourceHealth(today)
  const tables = datasetNames.flatMap((name) => of(name)?.table ?? [])
  const rows = tables.reduce((sum, { numRows }) => sum + numRows, 0)
  const runs = checks.reduce((sum, { runs: own }) => sum + own.length, 0)
  const loaded = say`${many(tables.length, 'dataset')}, ${many(rows, 'row')}; ${many(runs, 'check')}`
  const all = [loaded, ...reasons].join(say('; '))
  return html`<div class="whole"><dt>${say('State of the data')}</dt><dd class="health"><b>${lightWords[light](say)}</b> ${all}${say('.')}</dd></div>
`
}
