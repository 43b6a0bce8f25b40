import { countsStocks } from '../../contract/catalogue/theme-daily.js'
import { day, fixed, formatSigned, many, plain } from '../../research/report/format-number.js'
import { type Html, type HtmlPart, html, outside, risen } from '../../research/report/html.js'
import { askedWord } from './asked-words.js'
import { priceChart } from './code-charts.js'
import { codeLists } from './code-lists.js'
import { minuteChart } from './code-minutes.js'
import { unitOf } from './code-panels.js'
import { type CodeQuotes, codeQuotes, quotedIn, type Range, ranges } from './code-quotes.js'
import { type DeskPage, type DeskVisit, deskHref, sameHref } from './desk-visit.js'
import { type DeskInstrument, instrumentOf, nearInstruments } from './instrument.js'
import { themeHref } from './theme-members.js'

/** The named codes nearest to a text that is none. */
async function hints(visit: DeskVisit, text: string): Promise<Html | false> {
  const near = await nearInstruments(visit, text)
  const links = near.map(
    ({ code, name }) =>
      html`<li><a href="${deskHref(visit, ['code', code])}">${code} <bdi lang="zh">${name}</bdi></a></li>`,
  )
  return near.length > 0 && html`<p>${visit.say('Did you mean:')}</p><ul>${links}</ul>`
}

const noCode = ({ say }: DeskVisit, text: string): string =>
  say`There is no code “${text.slice(0, 80)}” in this archive.`

/** What stands where a code is none, at once; the names that are near are read below it. */
const noCodePage = (visit: DeskVisit, text: string, more?: Html): DeskPage => ({
  title: '404',
  status: 404,
  body: html`<h1>${noCode(visit, text)}</h1>${more}`,
  later: [() => hints(visit, text)],
})

function rangeLinks(visit: DeskVisit, range: Range): Html {
  const { say } = visit
  const word = (one: Range): string => (one === 'all' ? say('all') : one === 'YTD' ? say('this year') : one)
  const links = ranges.map(
    (one) =>
      html`<a href="${sameHref(visit, { range: one })}"${one === range && html` aria-current="true"`}>${word(one)}</a>`,
  )
  return html`<nav class="ranges" aria-label="${say('Range')}">${links}</nav>`
}

/** The last day of a code in a line; a count of stocks changed by so many. */
function lastLine(visit: DeskVisit, instrument: DeskInstrument, { days, columns, dataset }: CodeQuotes): Html {
  const { say } = visit
  const at = days.length - 1
  const number = (name: string): number => columns[name]?.[at] ?? Number.NaN
  const [unit, premium] = [unitOf(visit, dataset, 'close', instrument), number('cb_over_rate')]
  const isCount = countsStocks(instrument.name) && instrument.kind === 'index'
  const [change = Number.NaN] = [isCount ? 'change' : 'pct_chg', 'p_change']
    .map(number)
    .filter((one) => !Number.isNaN(one))
  const text = isCount ? formatSigned(change, 0) : `${formatSigned(change, 2)}%`
  const changed = !Number.isNaN(change) && html` <b>${risen(change, text)}</b>`
  const over = !Number.isNaN(premium) && html` · ${say('premium')} ${fixed(premium, 2)}%`
  return html`<p class="lead"><time datetime="${day(days[at])}">${day(days[at])}</time>: <b>${plain(number('close'))}</b> <small>${unit}</small>${changed}${over}</p>`
}

async function pricesOf(visit: DeskVisit, instrument: DeskInstrument, quotes: CodeQuotes | undefined): Promise<Html> {
  if (!quotes) return html`<p class="absent">${visit.say('The archive has no daily prices of it.')}</p>`
  const { say } = visit
  const { dataset, days, unread } = quotes
  const cut =
    unread > 0 && say`Made of bars by day: ${many(unread, 'stored day')} before ${day(days[0])} are not read. `
  const source = html`<p class="note">${cut}${say('Source:')} <code>${dataset}</code></p>`
  return html`${await priceChart(visit, instrument, quotes)}${source}`
}

/** Whether the last days have anything of a code: more is looked through when a range is asked for. */
async function isThere(visit: DeskVisit, instrument: DeskInstrument): Promise<boolean> {
  const quotes = instrument.kind === 'fund' ? minuteChart(visit, instrument) : codeQuotes(visit, instrument, '3M')
  if (await quotes) return true
  for (const one of codeLists(visit, instrument)) if (await one()) return true
  return false
}

/** All of a code: prices, premium, bars, documents, lists, runs and accounts; the last day first, what takes longer below. */
export async function codePage(visit: DeskVisit): Promise<DeskPage> {
  const { say, parts } = visit
  const [, text = ''] = parts
  const instrument = await instrumentOf(visit, text)
  if (instrument?.name === undefined) {
    const location = await themeHref(visit, text)
    if (location !== undefined)
      return { title: text, status: 302, location, body: html`<a href="${location}">${text}</a>` }
  }
  if (!instrument) return noCodePage(visit, text)
  const range = askedWord(visit, 'range', { names: ranges, usual: '3M', what: say('range') })
  const { code, name } = instrument
  const isKnown = name !== undefined || (await isThere(visit, instrument))
  if (!isKnown && !visit.asked.has('range')) {
    const whole = html`<p><a href="${sameHref(visit, { range: 'all' })}">${say('Look through all days')}</a></p>`
    return noCodePage(visit, code, whole)
  }
  const last = isKnown ? await codeQuotes(visit, instrument, '1M') : undefined
  let isFound = isKnown
  const prices = async (): Promise<HtmlPart> => {
    const quotes = range === '1M' && isKnown ? last : await codeQuotes(visit, instrument, range)
    if (quotes) isFound = true
    return [!last && quotes && lastLine(visit, instrument, quotes), await pricesOf(visit, instrument, quotes)]
  }
  const head = html`<h1>${outside(name ?? code)} <small>${code}</small></h1>
`
  const reading = html`<p class="note reading">${say('The days of the range are being read …')}</p>`
  return {
    title: [code, name].join(' ').trim(),
    body: html`${head}${last && lastLine(visit, instrument, last)}${quotedIn(instrument) && [rangeLinks(visit, range), reading]}`,
    later: [
      prices,
      () => minuteChart(visit, instrument),
      ...(isKnown ? codeLists(visit, instrument) : []),
      async () => !isFound && [html`<p role="alert">${noCode(visit, code)}</p>`, await hints(visit, code)],
    ],
  }
}
