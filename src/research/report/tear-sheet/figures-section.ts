import { dayNumber } from '../../../contract/date.js'
import { fixed, plain } from '../format-number.js'
import { type Html, html, type Section } from '../html.js'
import { figureWords } from './figure-words.js'
import type { RunSheet } from './sheet-context.js'
import { sheetFigures } from './sheet-figures.js'
import { figureRow, sentences } from './sheet-parts.js'

/** What a year counts: the periods taken, and of a run of a year and more those that it had. */
function periodsSaid({ say, own, rates }: RunSheet): string[] {
  const [first, last] = [own.days[0], own.days.at(-1)].map((date) => dayNumber(date as string))
  const span = (last as number) - (first as number)
  const taken = say('periods', { periods: plain(rates.periodsPerYear) })
  return span < 365 ? [taken] : [taken, say('periods had', { own: fixed(((own.days.length - 1) * 365.25) / span, 0) })]
}

/** All figures, each with its formula. */
export function figuresSection(sheet: RunSheet): Section {
  const { say, benchmark } = sheet
  const groups = sheetFigures(sheet).map(([name, figures]): Html => {
    const two = benchmark !== undefined && name !== 'against' && name !== 'trading'
    const heads =
      two && html`<div class="heads two"><span></span><b>${say('strategy')}</b><b>${benchmark.name}</b></div>`
    return html`<div class="group"><h3>${say(`group ${name}`)}</h3>${heads}
${figures.map((figure) => figureRow(sheet, figure, two))}</div>
`
  })
  const body = html`<p class="note">${sentences(sheet, say('figures note'), ...periodsSaid(sheet))}</p>
<div class="groups">${groups}</div>`
  return { id: 'figures', title: say('figures'), body }
}

/** The formulas once more, for paper, on which nothing opens. */
export function formulasSection(sheet: RunSheet): Section {
  const lines = sheetFigures(sheet)
    .flatMap(([, figures]) => figures)
    .map(
      ({ name }) => html`<dt>${figureWords[name].name[sheet.at]}</dt><dd>${figureWords[name].formula[sheet.at]}</dd>`,
    )
  return { id: 'formulas', title: sheet.say('formulas'), body: html`<dl class="formulas">${lines}</dl>` }
}
