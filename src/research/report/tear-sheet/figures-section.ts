import { dayNumber } from '../../../contract/date.js'
import { fixed, plain } from '../format-number.js'
import { type Html, html, type Section } from '../html.js'
import { sentences } from '../report-words.js'
import type { RunSheet } from './sheet-context.js'
import { type GroupedFigures, groupTitles } from './sheet-figures.js'
import { curveName, figureRow } from './sheet-parts.js'

/** What a year counts: the periods taken, and of a run of a year and more those that it had. */
function periodsSaid({ say, own, rates }: RunSheet): string[] {
  const [first, last] = [own.days[0], own.days.at(-1)].map((date) => dayNumber(date as string))
  const span = (last as number) - (first as number)
  const periods = plain(rates.periodsPerYear)
  const taken = say`Figures per year count ${periods} periods to a year.`
  if (span < 365) return [taken]
  const had = fixed(((own.days.length - 1) * 365.25) / span, 0)
  return [taken, say`The days of this run come to ${had} a year.`]
}

/** All figures, each with its formula. */
export function figuresSection(sheet: RunSheet, all: GroupedFigures): Section {
  const { say, benchmark } = sheet
  const groups = all.map(([group, figures]): Html => {
    const two = benchmark !== undefined && group !== 'against' && group !== 'trading'
    const heads =
      two && html`<div class="heads two"><span></span><b>${curveName(sheet)}</b><b>${benchmark.name}</b></div>`
    return html`<div class="group"><h3>${groupTitles[group](say)}</h3>${heads}
${figures.map((figure) => figureRow(say, figure, two))}</div>
`
  })
  const note = say(
    'Each line opens to its formula. r are daily returns, E the curve, n the number of returns, N the periods of a year. A dash is a figure that is not defined, never zero.',
  )
  const body = html`<p class="note">${sentences(say, note, ...periodsSaid(sheet))}</p>
<div class="groups">${groups}</div>`
  return { id: 'figures', title: say('Figures'), body }
}

/** The formulas once more, for paper, on which nothing opens. */
export function formulasSection({ say }: RunSheet, figures: GroupedFigures): Section {
  const lines = figures.flatMap(([, own]) => own).map(({ entry }) => entry.words(say))
  const body = html`<dl class="formulas">${lines.map(([name, formula]) => html`<dt>${name}</dt><dd>${formula}</dd>`)}</dl>`
  return { id: 'formulas', title: say('How each figure is computed'), body }
}
