import { day, fixed, formatSigned, plain } from '../../research/report/format-number.js'
import { type Html, type HtmlPart, html, outside, risen } from '../../research/report/html.js'
import { askedWord } from './asked-words.js'
import { minuteChart, priceChart } from './code-charts.js'
import { codeLists } from './code-lists.js'
import { type CodeQuotes, codeQuotes, type Range, ranges } from './code-quotes.js'
import { type DeskPage, type DeskVisit, deskHref, sameHref } from './desk-visit.js'
import { type DeskInstrument, instrumentOf, nearInstruments } from './instrument.js'
import { NoPageError } from './refused-page.js'
import { themeHref } from './theme-members.js'

/** What stands where a code is none: the nearest that have a name. */
async function noCode(visit: DeskVisit, text: string, more?: Html): Promise<NoPageError> {
  const { say } = visit
  const near = await nearInstruments(visit, text)
  const links = near.map(
    ({ code, name }) =>
      html`<li><a href="${deskHref(visit, ['code', code])}">${code} <bdi lang="zh">${name}</bdi></a></li>`,
  )
  const hint = near.length > 0 && html`<p>${say('Did you mean:')}</p><ul>${links}</ul>`
  return new NoPageError(
    404,
    html`<h1>${say`There is no code “${text.slice(0, 80)}” in this archive.`}</h1>${hint}${more}`,
  )
}

function rangeLinks(visit: DeskVisit, range: Range): Html {
  const { say } = visit
  const word = (one: Range): string => (one === 'all' ? say('all') : one === 'YTD' ? say('this year') : one)
  const links = ranges.map(
    (one) =>
      html`<a href="${sameHref(visit, { range: one })}"${one === range && html` aria-current="true"`}>${word(one)}</a>`,
  )
  return html`<nav class="ranges" aria-label="${say('Range')}">${links}</nav>`
}

/** The last day of a code in a line. */
function lastLine({ say }: DeskVisit, { days, columns }: CodeQuotes): Html {
  const at = days.length - 1
  const number = (name: string): number => columns[name]?.[at] ?? Number.NaN
  const change = Number.isNaN(number('pct_chg')) ? number('p_change') : number('pct_chg')
  const premium = number('cb_over_rate')
  const changed = !Number.isNaN(change) && html` <b>${risen(change, `${formatSigned(change, 2)}%`)}</b>`
  const over = !Number.isNaN(premium) && html` · ${say('premium')} ${fixed(premium, 2)}%`
  return html`<p class="lead"><time datetime="${day(days[at])}">${day(days[at])}</time>: <b>${plain(number('close'))}</b>${changed}${over}</p>`
}

async function pricesOf(visit: DeskVisit, instrument: DeskInstrument, quotes: CodeQuotes | undefined): Promise<Html> {
  if (!quotes) return html`<p class="absent">${visit.say('The archive has no daily prices of it.')}</p>`
  const source = html`<p class="note">${visit.say('Source:')} <code>${quotes.dataset}</code></p>`
  return html`${await priceChart(visit, instrument, quotes)}${source}`
}

/** A code that no row names: whether it is one is known once all was looked through. */
async function unnamedCode(visit: DeskVisit, instrument: DeskInstrument, range: Range): Promise<HtmlPart> {
  const quotes = await codeQuotes(visit, instrument, range)
  const lists: Html[] = []
  for (const one of codeLists(visit, instrument)) lists.push(html`${await one()}`)
  if (quotes || lists.some(({ markup }) => markup !== '')) {
    const [prices, minutes] = [await pricesOf(visit, instrument, quotes), await minuteChart(visit, instrument)]
    return [quotes && lastLine(visit, quotes), quotes && rangeLinks(visit, range), prices, minutes, lists]
  }
  const whole =
    range !== 'all' &&
    html`<p><a href="${sameHref(visit, { range: 'all' })}">${visit.say('Look through all days')}</a></p>`
  throw await noCode(visit, instrument.code, html`${whole}`)
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
  if (!instrument) throw await noCode(visit, text)
  const range = askedWord(visit, 'range', { names: ranges, usual: '3M', what: say('range') })
  const { code, name } = instrument
  const title = [code, name].join(' ').trim()
  const head = html`<h1>${outside(name ?? code)} <small>${code}</small></h1>
`
  if (name === undefined) return { title, body: [head, await unnamedCode(visit, instrument, range)] }
  const reading = html`<p class="note reading">${say('The days of the range are being read …')}</p>`
  const last = await codeQuotes(visit, instrument, '1M')
  return {
    title,
    body: html`${head}${last && lastLine(visit, last)}${rangeLinks(visit, range)}${reading}`,
    later: [
      async () => {
        const quotes = range === '1M' ? last : await codeQuotes(visit, instrument, range)
        return [!last && quotes && lastLine(visit, quotes), await pricesOf(visit, instrument, quotes)]
      },
      () => minuteChart(visit, instrument),
      ...codeLists(visit, instrument),
    ],
  }
}
