import { type Html, html, type Section } from '../html.js'
import { figureWords } from './figure-words.js'
import type { RunSheet } from './sheet-context.js'
import { sheetFigures } from './sheet-figures.js'
import { figureRow } from './sheet-parts.js'

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
  const body = html`<p class="note">${say('figures note')}</p>
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
