import { aboutText } from '../../../contract/language.js'
import { day, fixed, formatCount, formatSigned } from '../format-number.js'
import { type Html, html, outside } from '../html.js'
import { asOf, type ReportInput } from '../report-tables.js'
import { languageOfSay, type Say } from '../report-words.js'
import { type DayFigure, dayFigures } from './day-figures.js'
import { healthLine } from './source-health.js'

function written({ digits, power, isSigned }: DayFigure, value: number): string {
  return isSigned ? formatSigned(value, digits, power) : fixed(value, digits, power)
}

/** A mean of counts has a digit more than a count. */
function writtenMean(figure: DayFigure, mean: number): string {
  return written({ ...figure, digits: Math.max(1, figure.digits) }, mean)
}

/** An amount in running text: `CNY 0.32 bn`, `3.21 亿元`. */
function moneyText(text: string, { unit }: DayFigure, say: Say): string {
  const [currency = '', scale = ''] = unit.split(' ')
  return say(`${currency} ${text} ${scale}`, `${text} ${unit}`)
}

/** `2nd `; nothing of the first. */
function ordinal(place: number): string {
  if (place === 1) return ''
  const ending = { 1: 'st', 2: 'nd', 3: 'rd' }[place % 10]
  return `${place}${ending === undefined || (place % 100 > 10 && place % 100 < 14) ? 'th' : ending} `
}

const isKnown = ({ past }: DayFigure): boolean => past !== undefined && !Number.isNaN(past.value)

/** Where the number stands against its mean of the last 20 days. */
function against(figure: DayFigure, say: Say): string {
  const { past } = figure
  const mean = past?.means.find(({ window }) => window === 20)
  if (!past || !mean) return ''
  if (past.value === mean.mean) return say(' (at its 20-day mean)', '（与 20 日均值持平）')
  return past.value > mean.mean
    ? say(' (above its 20-day mean)', '（高于 20 日均值）')
    : say(' (below its 20-day mean)', '（低于 20 日均值）')
}

function moved(value: number, text: string, say: Say): string {
  const size = text.replace(/^[+-]/, '')
  if (!/[1-9]/.test(size)) return say('closed unchanged', '收平')
  return value > 0 ? say(`rose ${size} %`, `涨 ${size} %`) : say(`fell ${size} %`, `跌 ${size} %`)
}

/** What a figure says in the sentence. */
function clause(figure: DayFigure, latest: string, say: Say): string {
  const { past, id, unit } = figure
  if (!past) return ''
  const text = written(figure, past.value)
  const size = text.replace(/^[+-]/, '')
  const on = past.day === latest ? '' : say(` (of ${day(past.day)})`, `（${day(past.day)}）`)
  const end = `${on}${against(figure, say)}`
  switch (id) {
    case 'index':
      return say('all A shares at equal weight ', '全A等权') + moved(past.value, text, say) + end
    case 'breadth':
      return say(`the advances–declines index closed at ${text}`, `涨跌家数收于 ${text}`) + end
    case 'limits':
      return say(`the price-limit index at ${text}`, `停板家数 ${text}`) + end
    case 'premium':
      return say(`convertible bonds carried a median premium of ${text} %`, `转股溢价率中位数 ${text} %`) + end
    case 'southbound': {
      const side = past.value < 0 ? say('selling', '净卖出') : say('buying', '净买入')
      return (
        say(
          `net ${side} of the southbound top ten came to ${moneyText(size, figure, say)}`,
          `港股通十大成交${side} ${size} ${unit}`,
        ) + end
      )
    }
    case 'etf':
      return say(`ETFs turned over ${moneyText(text, figure, say)}`, `ETF 成交 ${text} ${unit}`) + end
    case 'financing':
      return say(`the refinancing balance stood at ${moneyText(text, figure, say)}`, `转融资余额 ${text} ${unit}`) + end
  }
}

/** The day in one sentence, made of the figures that are known. */
function sentence(figures: readonly DayFigure[], latest: string | undefined, say: Say): string {
  const clauses = figures.filter(isKnown).map((figure) => clause(figure, latest ?? '', say))
  if (clauses.length === 0 || latest === undefined)
    return say('This source has no quotes that a day could be described by.', '此数据源没有可用来描述当日的行情。')
  return say(`On ${day(latest)} ${clauses.join(', ')}.`, `${day(latest)}：${clauses.join('，')}。`)
}

function pastLines(figure: DayFigure, say: Say, isBrief: boolean): Html {
  const { past } = figure
  if (!past || past.means.length === 0)
    return html`<dd class="past">${past ? say('no other day to compare with', '没有可比较的其他交易日') : ''}</dd>`
  const means = past.means.map(({ window, days, mean }) => {
    const few = days < window ? say(` (${formatCount(days)} known)`, `（有值 ${formatCount(days)} 日）`) : ''
    return html`<span>${say(`${window}-day mean`, `${window} 日均值`)} <data class="mean-${window}" value="${mean}">${writtenMean(figure, mean)}</data>${few}</span>`
  })
  const rank =
    past.rank !== undefined &&
    html`<span class="rank">${say(`${ordinal(past.rank)}highest of ${past.of}`, `${past.of} 日中第 ${past.rank} 高`)}</span>`
  return html`<dd class="past">${!isBrief && means}${rank}</dd>`
}

function tile(figure: DayFigure, latest: string | undefined, say: Say, isBrief: boolean): Html {
  const { id, label, unit, past, source, isSigned } = figure
  const side = past && isSigned ? (past.value > 0 ? ' up' : past.value < 0 ? ' down' : '') : ''
  const value = past
    ? html`<data class="value${side}" value="${past.value}">${written(figure, past.value)}</data> <small>${unit}</small>`
    : html`<span class="value none">—</span> <small>${say(`no ${source} in this source`, `此数据源没有 ${source}`)}</small>`
  const other = past && past.day !== latest && html` <small class="mark">${day(past.day)}</small>`
  return html`<div class="tile" id="figure-${id}"><dt>${label}${other}</dt><dd>${value}</dd>${pastLines(figure, say, isBrief)}</div>
`
}

/** The first screen: one sentence, six figures, each beside its own 20 and 60 days, and what is to be minded of them. */
function firstScreen(input: ReportInput, say: Say, appendix: boolean): Html {
  const latest = asOf(input)
  const figures = dayFigures(input, say)
  const isBrief = input.brief === true
  const said = html`<p class="sentence">${sentence(figures, latest, say)}</p>
`
  return html`${!isBrief && said}<dl class="tiles">
${figures.map((one) => tile(one, latest, say, isBrief))}</dl>
${healthLine(input, figures, say, appendix)}`
}

/**
 * The head of the page: its title and day, what the day was, and the state of its data in a line.
 * @param appendix whether the page has one that the line can lead to
 */
export function reportHeader(input: ReportInput, say: Say, title: string, appendix: boolean): Html {
  const { source } = input
  const date = asOf(input)
  return html`<header>
${
  source.about !== undefined &&
  html`<p class="about"><strong>${outside(aboutText(source.about, languageOfSay(say)))}</strong></p>
`
}<h1>${title} <small>${date ? html`<time datetime="${day(date)}">${day(date)}</time>` : say('no dated data', '没有带日期的数据')}</small></h1>
${firstScreen(input, say, appendix)}</header>
`
}
