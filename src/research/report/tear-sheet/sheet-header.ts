import { aboutText, sourceText } from '../../../contract/language.js'
import { version } from '../../../contract/version.js'
import { printable } from '../../../frame/show/cell-text.js'
import { fixed, formatCount } from '../format-number.js'
import { type Html, html, outside } from '../html.js'
import { caveatsBox } from './caveats.js'
import { type FigureName, figureWords } from './figure-words.js'
import type { RunSheet } from './sheet-context.js'
import { type SheetFigure, sheetFigures } from './sheet-figures.js'
import { daySpan, figureData, figureText, sentences, signedPercent } from './sheet-parts.js'

export function sheetTitle({ say, options }: RunSheet): string {
  return printable(options.title ?? '').trim() || say('tear sheet')
}

/** What the run came to, in a sentence. */
function headline(sheet: RunSheet): string {
  const { say, own, run, benchmark } = sheet
  const { total, maxDrawdown, sharpe } = own.performance
  const [first, last] = [own.days[0], own.days.at(-1)]
  const places = {
    span: daySpan(say, first, last),
    days: formatCount(own.days.length),
    start: fixed(run?.start, 2),
    end: fixed(run?.equity[own.days.length - 1], 2),
    total: signedPercent(total),
    fall: figureText(say, 'percent', maxDrawdown.depth),
    sharpe: fixed(sharpe, 2),
  }
  const said = say(run ? 'headline' : 'headline returns', places)
  if (!benchmark) return said
  const { name } = benchmark
  const other = say('headline benchmark', { name, total: signedPercent(benchmark.series.performance.total) })
  return sentences(sheet, said, other)
}

const first: readonly FigureName[] = ['total', 'cagr', 'volatility', 'sharpe', 'maxDrawdown', 'calmar']

function tiles(sheet: RunSheet): Html {
  const { say, own, at } = sheet
  const all = sheetFigures(sheet).flatMap(([, figures]) => figures)
  const { intervals } = own.performance
  const small = ({ name }: SheetFigure): string | undefined =>
    name === 'sharpe' && intervals && !Number.isNaN(intervals.sharpe.low)
      ? say('interval short', { low: fixed(intervals.sharpe.low, 2), high: fixed(intervals.sharpe.high, 2) })
      : undefined
  const shown = first.flatMap((name) => all.find((figure) => figure.name === name) ?? [])
  return html`<ul class="tiles">${shown.map((figure) => {
    const below = small(figure)
    return html`<li data-tile="${figure.name}"><span>${figureWords[figure.name].name[at]}</span>${figureData(say, figure)}${below !== undefined && html`<small>${below}</small>`}</li>`
  })}</ul>`
}

/** Title, what the run came to, its first figures, and its caveats. */
export function sheetHeader(sheet: RunSheet): Html {
  const { say, options, run, own } = sheet
  const { source } = options
  return html`<header>
<p class="kicker">${say('tear sheet')}</p>
<h1><bdi>${sheetTitle(sheet)}</bdi></h1>
${source?.about !== undefined && html`<p class="about"><strong>${outside(aboutText(source.about, options.lang ?? 'en'))}</strong></p>`}
<p class="lead">${headline(sheet)}</p>
${tiles(sheet)}
<dl>
<div><dt>${say('period')}</dt><dd>${daySpan(say, own.days[0], own.days.at(-1))}</dd></div>
${source && html`<div><dt>${say('source')}</dt><dd>${outside(sourceText(source.name, options.lang === 'zh' ? 'zh' : 'en'))}</dd></div>`}
<div><dt>${say('made by')}</dt><dd>Quotebook ${version}</dd></div>
${run?.hashes && html`<div class="whole"><dt>${say('run hash')}</dt><dd class="hash"><code>${run.hashes.run}</code></dd></div>`}
</dl>
${caveatsBox(sheet)}</header>
`
}
