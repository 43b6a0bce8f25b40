import { inferredNote } from '../../../contract/calendar.js'
import { datasetNames, datasetOf } from '../../../contract/catalogue.js'
import type { Dataset } from '../../../contract/dataset.js'
import { wordsIn } from '../../../contract/say.js'
import { type Provenance, provenance } from '../../../frame/table/provenance.js'
import { titleIn } from '../../checks/check.js'
import { checkState, gradesOf } from '../../checks/check-summary.js'
import { day, formatCount, many } from '../format-number.js'
import { type Html, html } from '../html.js'
import { coveredDays, daysInTable, filled, type ReportInput } from '../report-tables.js'
import { languageOfSay, type Say } from '../report-words.js'
import type { DayFigure } from './day-figures.js'

/** What a reader must know of the data before reading: `red` some rows contradict, `amber` something is missing or unproven. */
export interface SourceHealth {
  readonly light: 'green' | 'amber' | 'red'
  readonly reasons: readonly string[]
  /** Datasets with rows that contradict, are not proven whole, or suspect. */
  readonly doubted: readonly string[]
}

/** Names in a list, of many the first. */
function named(names: readonly string[], say: Say): string {
  const shown = names.slice(0, 4).join(say(', ', '、'))
  return names.length > 4 ? say(`${shown} and ${names.length - 4} more`, `${shown}等`) : shown
}

/** A reason with the names that it holds of; none where it holds of none. */
function reason(names: readonly string[], say: Say, en: string, zh: string): string[] {
  return names.length === 0 ? [] : [say(`${en}: ${named(names, say)}`, `${zh}：${named(names, say)}`)]
}

function contradicted(input: ReportInput, say: Say): string[] {
  return input.checks.flatMap(({ check, runs }) =>
    runs.flatMap(({ label, result }) => {
      if (result.ok) return []
      const [wrong, rows] = [formatCount(gradesOf(check, result).contradicted), result.rows]
      const title = titleIn(check, label, languageOfSay(say))
      return [say(`${title}: ${wrong} of ${many(rows, 'row')}`, `${title}${formatCount(rows)} 行中 ${wrong} 行`)]
    }),
  )
}

function openChecks(input: ReportInput, say: Say): string[] {
  return input.checks.flatMap(({ check, runs }) =>
    runs
      .filter(({ result }) => checkState(check, result) === 'open')
      .map(({ label }) => titleIn(check, label, languageOfSay(say))),
  )
}

/** Datasets of which the report has no rows; those that can't be loaded as a whole do not count. */
function missingDatasets({ tables }: ReportInput): string[] {
  return datasetNames.filter((name) => {
    const { load }: Dataset = datasetOf(name)
    return load !== undefined && load.kind !== 'tick-share' && !filled(tables[name])
  })
}

/** Datasets of which a table with rows is said to be so. */
function datasetsThat({ tables, more = [] }: ReportInput, isSo: (about: Provenance) => boolean): string[] {
  return datasetNames.filter((name) => {
    const own = [tables[name], ...more.filter(({ dataset }) => dataset === name).map(({ table }) => table)]
    const abouts = own.flatMap((table) => (table && filled(table) && provenance(table)) || [])
    return abouts.some(isSo)
  })
}

/** Datasets with a row on every trading day that lack some of the days of the report. */
function holes(input: ReportInput, say: Say): string[] {
  const days = coveredDays(input)
  const lacking = datasetNames.flatMap((name) => {
    const dataset: Dataset = datasetOf(name)
    const table = filled(input.tables[name])
    if (!table || !dataset.everyTradingDay || dataset.load?.kind === 'each' || dataset.load?.kind === 'once') return []
    const own = new Set(daysInTable(name, table))
    const count = days.filter((date) => !own.has(date)).length
    return count > 0 ? [say(`${name} lacks ${many(count, 'day')}`, `${name} 缺 ${formatCount(count)} 日`)] : []
  })
  const { asked = 0 } = input
  const count = formatCount(days.length)
  const short = say(
    `${count} of the ${many(asked, 'day')} asked for`,
    `所要求的 ${formatCount(asked)} 日中只有 ${count} 日`,
  )
  const few = days.length < asked ? [short] : []
  const all = [...few, ...lacking]
  return all.length === 0 ? [] : [named(all, say)]
}

/** Years of which the trading days are not known. */
function inferredYears({ inferred = [] }: ReportInput, say: Say): string[] {
  const note = inferredNote(inferred)
  return note === undefined ? [] : [wordsIn(note, languageOfSay(say))]
}

/** The state of the data in a light and its reasons, the worst first. */
export function sourceHealth(input: ReportInput, say: Say): SourceHealth {
  const red = reason(contradicted(input, say), say, 'contradicted', '有矛盾')
  const unproven = datasetsThat(input, ({ complete }) => !complete)
  const suspect = datasetsThat(input, (about) => about.suspect !== undefined)
  const amber = [
    ...(input.source.changed ? [say('the source changed while it was read', '读取期间数据源有变动')] : []),
    ...reason(unproven, say, 'not proven whole', '未证明完整'),
    ...reason(suspect, say, 'suspect rows', '有存疑的行'),
    ...reason(missingDatasets(input), say, 'not in this source', '此数据源没有'),
    ...holes(input, say),
    ...inferredYears(input, say),
    ...reason(openChecks(input, say), say, 'open', '无法判定'),
  ]
  const wrong = input.checks.flatMap(({ check, runs }) =>
    runs.some(({ result }) => !result.ok) ? [check.dataset] : [],
  )
  const light = red.length > 0 ? 'red' : amber.length > 0 ? 'amber' : 'green'
  return { light, reasons: [...red, ...amber], doubted: [...wrong, ...unproven, ...suspect] }
}

/** First and last day with data and how many there are; and how many were asked for, if that is more. */
export function daysText(input: ReportInput, say: Say): string {
  const days = coveredDays(input)
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined) return say('no days of quotes', '没有行情日')
  const range = first === last ? day(first) : say(`${day(first)} to ${day(last)}`, `${day(first)} 至 ${day(last)}`)
  const count = say(String(many(days.length, 'trading day')), `${formatCount(days.length)} 个交易日`)
  const isShort = input.asked !== undefined && days.length < input.asked
  const short = say(`; ${formatCount(input.asked ?? 0)} were asked for`, `；要求 ${formatCount(input.asked ?? 0)} 个`)
  return `${range}${say(', ', '，')}${count}${isShort ? short : ''}`
}

const lightWords = { green: ['● Green', '● 绿'], amber: ['▲ Amber', '▲ 黄'], red: ['■ Red', '■ 红'] } as const

/** What the state of the data means for the figures above it; nothing where no row of a dataset is doubted. */
function meantFor(figures: readonly DayFigure[], doubted: readonly string[], say: Say): string {
  if (doubted.length === 0) return ''
  const touched = figures.filter(({ past, source }) => past && doubted.includes(source)).map(({ label }) => label)
  return touched.length === 0
    ? say(' None of the figures above is made from such rows.', '上述数字均不出自这些数据。')
    : say(` Take with care above: ${touched.join('; ')}.`, `上述数字中，须谨慎看待的有：${touched.join('、')}。`)
}

/**
 * One line below the figures: the state of the data, its gravest reason, and what that means for them.
 * @param appendix whether the page has one, which has all reasons; without it the line has them
 */
export function healthLine(input: ReportInput, figures: readonly DayFigure[], say: Say, appendix: boolean): Html {
  const { light, reasons, doubted } = sourceHealth(input, say)
  const shown = appendix ? reasons.slice(0, 1) : reasons
  const more = reasons.length - shown.length
  const rest = more > 0 ? say(`; ${many(more, 'more reason')}`, `；另有 ${formatCount(more)} 项`) : ''
  const why =
    reasons.length > 0 ? shown.join(say('; ', '；')) : say('all whole, nothing contradicts', '全部完整，未见矛盾')
  const link = appendix && html` <a href="#appendix">${say('Details', '详见附录')}</a>`
  return html`<p class="light ${light}"><b>${say<string>(lightWords[light][0], lightWords[light][1])}</b> ${why}${rest}${say('.', '。')}${meantFor(figures, doubted, say)}${link}</p>
`
}

/** The state of the data with all of its reasons, and how much of it there is. */
export function healthFacts(input: ReportInput, say: Say): Html {
  const { light, reasons } = sourceHealth(input, say)
  const tables = Object.values(input.tables).filter(filled)
  const rows = tables.reduce((sum, table) => sum + (table?.numRows ?? 0), 0)
  const runs = input.checks.reduce((sum, { runs: own }) => sum + own.length, 0)
  const loaded = say(
    `${many(tables.length, 'dataset')}, ${many(rows, 'row')}; ${many(runs, 'check')}`,
    `${formatCount(tables.length)} 个数据集、${formatCount(rows)} 行；检查 ${formatCount(runs)} 项`,
  )
  const all = [loaded, ...reasons].join(say('; ', '；'))
  return html`<div class="whole"><dt>${say('State of the data', '数据状况')}</dt><dd class="health"><b>${say<string>(lightWords[light][0], lightWords[light][1])}</b> ${all}${say('.', '。')}</dd></div>
`
}
