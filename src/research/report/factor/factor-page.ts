import { aboutText, sourceText } from '../../../contract/language.js'
import { checkOptions, type OptionKinds } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { version } from '../../../contract/version.js'
import { printable } from '../../../frame/show/cell-text.js'
import { namedIn } from '../../../frame/table/shape.js'
import { meanThere } from '../../analysis/performance/factor-information.js'
import type { FactorStudy } from '../../analysis/performance/factor-study.js'
import { fixed } from '../format-number.js'
import { type Html, html, outside } from '../html.js'
import { type DocumentManifest, htmlDocument } from '../html-document.js'
import { hashOfNumbers } from '../tear-sheet/sheet-manifest.js'
import { daySpan, signedPercent } from '../tear-sheet/sheet-parts.js'
import { sheetStyle } from '../tear-sheet/sheet-style.js'
import { factorCaveats } from './factor-caveats.js'
import { decayChart, informationChart, quantileChart, spreadChart, stabilityChart } from './factor-charts.js'
import { type FactorPageOptions, type FactorSheet, factorSheetOf, spreadDatesText } from './factor-sheet.js'
import { factorFigures, factorParts } from './factor-tables.js'

const pageOptionKinds: OptionKinds<FactorPageOptions> = {
  title: 'text',
  lang: ['en', 'zh'],
  interactive: 'true or false',
  horizons: 'an array',
  tried: 'a number',
  notes: 'an array',
  known: 'an object',
  source: 'an object',
  command: 'an object',
  code: 'an object',
}

function headerOf(sheet: FactorSheet, title: string): Html {
  const { say, study, first, options, ahead } = sheet
  const { times } = study.signal
  const span = daySpan(say, times[0], times.at(-1))
  const [ic, t, spread, net] = [
    fixed(first.meanIc, 4),
    fixed(first.t, 2),
    signedPercent(first.spread, 3),
    signedPercent(first.netSpread, 3),
  ]
  const [names, error] = [fixed(meanThere(study.names), 1), fixed(first.error, 4)]
  const thin = spreadDatesText(sheet, first)
  const places = { span, names, ahead: ahead(first.horizon), ic, error, t, spread, net, thin }
  const tiles = [
    [say('mean IC'), ic],
    [say('t'), t],
    [say('ir'), fixed(first.ir, 2)],
    [say('spread'), spread],
    [say('net spread'), net],
    [say('autocorrelation'), fixed(study.meanRankAutocorrelation, 3)],
  ] as const
  const { source } = options
  const about = source?.about && aboutText(source.about, options.lang ?? 'en')
  return html`<header>
<p class="kicker">${say('factor')}</p>
<h1><bdi>${title}</bdi></h1>
${about !== undefined && html`<p class="about"><strong>${outside(about)}</strong></p>`}
<p class="lead">${say(Number.isNaN(first.spread) && first.spreadDates < first.dates ? 'lead thin' : 'lead', places)}</p>
<ul class="tiles">${tiles.map(([name, text]) => html`<li><span>${name}</span><data value="${text}">${text}</data></li>`)}</ul>
<dl>
<div><dt>${say('period')}</dt><dd>${span}</dd></div>
${source && html`<div><dt>${say('source')}</dt><dd>${outside(sourceText(source.name, options.lang === 'zh' ? 'zh' : 'en'))}</dd></div>`}
<div><dt>${say('made by')}</dt><dd>Quotebook ${version}</dd></div>
</dl>
${factorCaveats(sheet)}</header>
`
}

/** What the page says of how it was made. */
function manifestOf({ study, options }: FactorSheet, title: string): DocumentManifest {
  const { signal, horizons } = study
  const { source, code, lang = 'en', interactive: _, notes: __, known: ___, ...others } = options
  const input = (name: string, values: ArrayLike<number>) => ({
    name,
    rows: values.length,
    sha256: hashOfNumbers(values),
  })
  return {
    kind: 'factor',
    options: { ...others, title, lang, quantiles: horizons[0]?.quantileReturns.length },
    ...(source && { source }),
    ...(code && { code }),
    inputs: [
      input('score', signal.score as Float64Array),
      ...signal.forward.map((one, at) => input(`returns over ${horizons[at]?.horizon}`, one as Float64Array)),
    ],
  }
}

/**
 * The study of a factor on one self-contained HTML page, in the style of the tear sheet: what to mind before it is believed, figures by
 * horizon, information by date with its mean and error, decay, quantile returns before and after costs, the spread added up, turnover,
 * autocorrelation and coverage, groups, years and exposures. The page loads nothing and runs no script but, with `interactive`, one of its own; the same study gives the same
 * bytes.
 *
 * `await factorPage(factorStudy(forwardReturns(prices, { score }, { costs: {} })), { title: 'Premium', tried: 3 })`
 * @throws QuotebookError USAGE for what is no study, and for options
 */
export async function factorPage(study: FactorStudy, options: FactorPageOptions = {}): Promise<string> {
  namedIn(study, 'factorPage', sentence`what factorStudy gives`)
  const sheet = factorSheetOf(study, checkOptions(options, pageOptionKinds, 'factorPage'))
  const { say } = sheet
  const title = printable(options.title ?? '').trim() || say('factor')
  const sections = [
    factorFigures(sheet),
    await informationChart(sheet),
    await decayChart(sheet),
    await quantileChart(sheet),
    await spreadChart(sheet),
    await stabilityChart(sheet),
    factorParts(sheet),
  ]
  return htmlDocument({
    title,
    manifest: manifestOf(sheet, title),
    lang: options.lang === 'zh' ? 'zh-CN' : 'en',
    ownStyle: sheetStyle,
    header: headerOf(sheet, title),
    contents: say('contents'),
    sections,
    interactive: options.interactive,
    footer: say(options.interactive ? 'live footer' : 'footer'),
  })
}
