import { checkOptions, type OptionKinds } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { namedIn } from '../../../frame/table/shape.js'
import { meanThere } from '../../analysis/performance/factor-information.js'
import type { FactorStudy } from '../../analysis/performance/factor-study.js'
import { fixed } from '../format-number.js'
import { html } from '../html.js'
import { type DocumentManifest, htmlDocument } from '../html-document.js'
import { daySpan, headTile, type PageTop, pageTop, titleOr } from '../page-header.js'
import { hashOfNumbers } from '../tear-sheet/sheet-manifest.js'
import { signedPercent } from '../tear-sheet/sheet-parts.js'
import { factorCaveats } from './factor-caveats.js'
import { factorSections } from './factor-charts.js'
import { type FactorPageOptions, type FactorSheet, factorSheetOf, spreadDatesText } from './factor-sheet.js'

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

function lead(sheet: FactorSheet, span: string): string {
  const { say, study, first, ahead } = sheet
  const { meanIc, error, t, spread, netSpread, spreadDates, dates, horizon } = first
  const names = fixed(meanThere(study.names), 1)
  const [ic, off, ratio] = [fixed(meanIc, 4), fixed(error, 4), fixed(t, 2)]
  const mean = say`${span}: ${names} names a time in the mean. Over ${ahead(horizon)} the mean rank correlation of score and return is ${ic} ± ${off} (one standard error, t = ${ratio})`
  if (Number.isNaN(spread) && spreadDates < dates) {
    const thin = spreadDatesText(sheet, first)
    return say`${mean}. There is no spread: top and bottom quantile both have names on ${thin} only.`
  }
  const [gross, net] = [signedPercent(spread, 3), signedPercent(netSpread, 3)]
  return say`${mean}; the top quantile returned ${gross} more than the bottom, ${net} after costs.`
}

function topOf(sheet: FactorSheet, title: string): PageTop {
  const { say, study, first, options } = sheet
  const { times } = study.signal
  const span = daySpan(say, times[0], times.at(-1))
  const tiles = [
    [say('Mean IC'), fixed(first.meanIc, 4)],
    [say('t (Newey-West)'), fixed(first.t, 2)],
    [say('IR, mean / deviation'), fixed(first.ir, 2)],
    [say('Spread, top less bottom'), signedPercent(first.spread, 3)],
    [say('Spread after costs'), signedPercent(first.netSpread, 3)],
    [say('Autocorrelation of ranks'), fixed(study.meanRankAutocorrelation, 3)],
  ] as const
  return pageTop(say, {
    kicker: say('Factor study'),
    title,
    source: options.source,
    lead: lead(sheet, span),
    tiles: tiles.map(([name, text]) => headTile(name, html`<data value="${text}">${text}</data>`)),
    facts: [[say('Period'), span]],
    caveats: factorCaveats(sheet),
  })
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
 * Writes the study of a factor as one self-contained HTML page, in the style of the tear sheet: what to mind before you
 * believe it, figures by horizon, information by date with its mean and error, decay, quantile returns before and after
 * costs, the cumulative spread, turnover, autocorrelation and coverage, groups, years and exposures. The page makes no
 * requests and runs no script except, with `interactive`, one of its own; the same study gives the same bytes.
 *
 * `await factorPage(factorStudy(forwardReturns(prices, { score }, { costs: {} })), { title: 'Premium', tried: 3 })`
 * @throws QuotebookError USAGE for anything but a study, and for options
 */
export async function factorPage(study: FactorStudy, options: FactorPageOptions = {}): Promise<string> {
  namedIn(study, 'factorPage', sentence`what factorStudy gives`)
  const sheet = factorSheetOf(study, checkOptions(options, pageOptionKinds, 'factorPage'))
  const { say } = sheet
  const title = titleOr(options.title, say('Factor study'))
  return htmlDocument({
    say,
    title,
    manifest: manifestOf(sheet, title),
    top: topOf(sheet, title),
    ...(await factorSections(sheet)),
    interactive: options.interactive,
  })
}
