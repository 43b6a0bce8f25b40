import type { Say } from '../../../contract/say.js'
import { type Fact, fact } from '../../../contract/sentence.js'
import { day, fixed, formatCount, formatSigned } from '../format-number.js'
import { type Html, type HtmlPart, html } from '../html.js'
import { sourceAbout, sparkline } from '../page-header.js'
import type { ReportDay } from '../report-day.js'
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
  return say.language === 'zh' ? `${text} ${unit}` : `${currency} ${text} ${scale}`
}

/** `2nd `; nothing of the first. */
function ordinal(place: number): Fact {
  const ending = { 1: 'st', 2: 'nd', 3: 'rd' }[place % 10]
  const isPlain = ending === undefined || (place % 100 > 10 && place % 100 < 14)
  return fact('COUNT', place === 1 ? '' : `{count}${isPlain ? 'th' : ending} `, { count: place })
}

const isKnown = ({ past }: DayFigure): boolean => past !== undefined && !Number.isNaN(past.value)

/** Where the number stands against its mean of the last 20 days. */
function against(figure: DayFigure, say: Say): string {
  const { past } = figure
  const mean = past?.means.find(({ window }) => window === 20)
  if (!past || !mean) return ''
  if (past.value === mean.mean) return say(' (at its 20-day mean)')
  return past.value > mean.mean ? say(' (above its 20-day mean)') : say(' (below its 20-day mean)')
}

function moved(value: number, text: string, say: Say): string {
  const size = text.replace(/^[+-]/, '')
  if (!/[1-9]/.test(size)) return say('closed unchanged')
  return value > 0 ? say`rose ${size}%` : say`fell ${size}%`
}

/** What a figure says in the sentence. */
function clause(figure: DayFigure, latest: string, say: Say): string {
  const { past, id, share } = figure
  if (!past) return ''
  const text = written(figure, past.value)
  const size = text.replace(/^[+-]/, '')
  const on = past.day === latest ? '' : say` (of ${day(past.day)})`
  const end = `${on}${against(figure, say)}`
  switch (id) {
    case 'index':
      return say('all A shares at equal weight ') + moved(past.value, text, say) + end
    case 'breadth':
      return say`the advances–declines index closed at ${text}` + end
    case 'limits':
      return say`the price-limit index at ${text}` + end
    case 'premium':
      return say`convertible bonds carried a median premium of ${text}%` + (share ? say` (${share})` : '') + end
    case 'southbound': {
      const side = past.value < 0 ? say('selling') : say('buying')
      return say`net ${side} of the southbound top ten came to ${moneyText(size, figure, say)}` + end
    }
    case 'etf':
      return say`ETFs turned over ${moneyText(text, figure, say)}` + end
    case 'financing':
      return say`the refinancing balance stood at ${moneyText(text, figure, say)}` + end
  }
}

/** The day in one sentence, made of the figures that are known. */
function sentence(figures: readonly DayFigure[], latest: string | undefined, say: Say): string {
  const clauses = figures.filter(isKnown).map((figure) => clause(figure, latest ?? '', say))
  if (clauses.length === 0 || latest === undefined)
    return say('This source has no quotes that a day could be described by.')
  return say`On ${day(latest)} ${clauses.join(say(', '))}.`
}

function pastLines(figure: DayFigure, say: Say, isBrief: boolean): Html {
  const { past } = figure
  const share = figure.share !== undefined && html`<span>${figure.share}</span>`
  if (!past || past.means.length === 0)
    return html`<dd class="past">${share}${past ? say('no other day to compare with') : ''}</dd>`
  const means = past.means.map(({ window, days, mean }) => {
    const few = days < window ? say` (${formatCount(days)} known)` : ''
    return html`<span>${say`${window}-day mean`} <data class="mean-${window}" value="${mean}">${writtenMean(figure, mean)}</data>${few}</span>`
  })
  const rank =
    past.rank !== undefined && html`<span class="rank">${say`${ordinal(past.rank)}highest of ${past.of}`}</span>`
  return html`<dd class="past">${share}${!isBrief && means}${rank}</dd>`
}

function tile(figure: DayFigure, latest: string | undefined, say: Say, isBrief: boolean): Html {
  const { id, label, unit, past, source, isSigned } = figure
  const side = past && isSigned ? (past.value > 0 ? ' up' : past.value < 0 ? ' down' : '') : ''
  const value = past
    ? html`<data class="value${side}" value="${past.value}">${written(figure, past.value)}</data>${unit !== '%' && ' '}<small>${unit}</small>`
    : html`<span class="value none">—</span> <small>${say`no ${source} in this source`}</small>`
  const other = past && past.day !== latest && html` <small class="mark">${day(past.day)}</small>`
  return html`<div class="tile" id="figure-${id}"><dt>${label}${other}</dt><dd>${value}</dd>${past && sparkline(past.recent, 'dd')}${pastLines(figure, say, isBrief)}</div>
`
}

/**
 * The head of the page: its title and day, the day in a sentence, six figures each beside its own 20 and 60 days, and the state of the
 * data in a line.
 * @param details `appendix`: the page has one that the line can lead to; else what the line leads to
 */
export function reportHeader(today: ReportDay, title: string, details?: 'appendix' | HtmlPart): Html {
  const { say, source, date, brief: isBrief = false } = today
  const figures = dayFigures(today)
  const said = html`<p class="sentence">${sentence(figures, date, say)}</p>
`
  return html`<header>
${sourceAbout(say, source.about)}<h1>${title} <small>${date ? html`<time datetime="${day(date)}">${day(date)}</time>` : say('no dated data')}</small></h1>
${said}<dl class="tiles">
${figures.map((one) => tile(one, date, say, isBrief))}</dl>
${healthLine(today, figures, details)}</header>
`
}
