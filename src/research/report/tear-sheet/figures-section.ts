import { type Html, html, type Section } from '../html.js'
import { figureFormulas, figureNames } from './figure-words.js'
import type { RunSheet } from './sheet-context.js'
import { type SheetFigure, sheetFigures } from './sheet-figures.js'
import { figureRow } from './sheet-parts.js'
import { tradingFigures } from './trading-figures.js'

const titles = {
  return: 'group return',
  risk: 'group risk',
  ratio: 'group ratio',
  shape: 'group shape',
  against: 'group against',
  trading: 'group trading',
} as const

function groupsOf(sheet: RunSheet): readonly (readonly [keyof typeof titles, readonly SheetFigure[]])[] {
  const groups = new Map<string, readonly SheetFigure[]>([...sheetFigures(sheet), ['trading', tradingFigures(sheet)]])
  return (Object.keys(titles) as (keyof typeof titles)[]).flatMap((name) => {
    const figures = groups.get(name) ?? []
    return figures.length === 0 ? [] : [[name, figures] as const]
  })
}

/** All figures, each with its formula. */
export function figuresSection(sheet: RunSheet): Section {
  const { say, options, benchmark } = sheet
  const at = options.lang === 'zh' ? 1 : 0
  const groups = groupsOf(sheet).map(([name, figures]): Html => {
    const two = benchmark !== undefined && name !== 'against' && name !== 'trading'
    const heads =
      two &&
      html`<div class="heads two"><span></span><b>${say('strategy')}</b><b>${benchmark.name || say('benchmark')}</b></div>`
    const rows = figures.map((figure) =>
      figureRow(say, figure, { name: figureNames[figure.name][at], formula: figureFormulas[figure.name][at], two }),
    )
    return html`<div class="group"><h3>${say(titles[name])}</h3>${heads}
${rows}</div>
`
  })
  const body = html`<p class="note">${say('figures note')}</p>
<div class="groups">${groups}</div>`
  return { id: 'figures', title: say('figures'), body }
}

/** The formulas once more, for paper, on which nothing opens. */
export function formulasSection(sheet: RunSheet): Section {
  const at = sheet.options.lang === 'zh' ? 1 : 0
  const lines = groupsOf(sheet)
    .flatMap(([, figures]) => figures)
    .map(({ name }) => html`<dt>${figureNames[name][at]}</dt><dd>${figureFormulas[name][at]}</dd>`)
  return { id: 'formulas', title: sheet.say('formulas'), body: html`<dl class="formulas">${lines}</dl>` }
}
