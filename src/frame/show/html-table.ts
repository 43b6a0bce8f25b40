import { counted } from '../../contract/sentence.js'
import { say } from '../../contract/shown-language.js'
import { escapeHtml, printable } from './cell-text.js'
import { truncateText } from './text-width.js'
import { firstAndLast, positiveOption, type ShowOptions, type VisibleColumn, type VisibleData } from './visible-data.js'

const rule = 'rgba(128,128,128,.4)'
const own = '.quotebook.quotebook.quotebook'

/**
 * Colours come from the notebook, so that it reads on white as on black. The class keeps the rules to this table; three of
 * it outweigh JupyterLab's own `:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon td`, which puts every text at the right.
 */
const style = [
  '.quotebook{overflow-x:auto;margin:.4em 0;font-size:13px;line-height:1.4}',
  `${own} table{border-collapse:collapse;border:0;margin:0;table-layout:auto;font-size:inherit;font-variant-numeric:tabular-nums lining-nums;color:inherit}`,
  `${own} tr{background:none;border:0}`,
  `${own} th,${own} td{text-align:left;vertical-align:baseline;white-space:pre;max-width:none;padding:.22em .75em;border:0;border-bottom:1px solid ${rule}}`,
  `${own} th{font-weight:600;vertical-align:top;border-bottom:1.5px solid rgba(128,128,128,.8)}`,
  `${own} th[title]{cursor:help}`,
  `${own} th small{display:block;font-weight:400;font-size:.85em;opacity:.7}`,
  `${own} .n{text-align:right}`,
  `${own} .g,${own} .l{opacity:.6;font-weight:400}`,
  `${own} .m{opacity:.6;font-weight:700}`,
  '.quotebook .f{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.9em 2.4em;margin-top:.5em}',
  '.quotebook p{margin:.45em 0 0;font-size:.92em;opacity:.75}',
  '.quotebook p b{font-weight:600}',
].join('\n')

/** Decimals to which a number is rounded; the whole number is in the title. */
const decimals = 8

function shortText(text: string, right: boolean, most: number): string {
  if (!right) return truncateText(text, most)
  if (!/^-?\d+\.\d{9,}$/.test(text)) return text
  const rounded = Number(text)
    .toFixed(decimals)
    .replace(/\.?0+$/, '')
  return Number(rounded) === 0 ? `${text.slice(0, text.indexOf('.') + 1 + decimals)}…` : rounded
}

/** Blanks of the width of digits behind a number, so that the points of a column stand below each other. */
function pointPadding(texts: readonly string[]): readonly string[] {
  const digit = '\u2007'
  const point = '\u2008'
  const places = texts.map((text) => /^-?\d+(?:\.(\d+…?))?$/.exec(text)?.[1]?.length ?? 0)
  const most = places.reduce((max, count) => Math.max(max, count), 0)
  return texts.map((text, i) => {
    const plain = /^-?\d+(\.\d+…?)?$|^[·…]$/.test(text)
    if (!plain || most === 0) return ''
    return places[i] === 0 ? point + digit.repeat(most) : digit.repeat(most - (places[i] ?? 0))
  })
}

function attribute(name: string, value: string): string {
  return value === '' ? '' : ` ${name}="${escapeHtml(value)}"`
}

function headCell({ name, unit, infoText, right, isLabel }: VisibleColumn): string {
  if (isLabel) return `<th class="l" title="${say('label of the row')}"></th>`
  const below = unit === undefined ? '' : `<br><small>${escapeHtml(printable(unit))}</small>`
  return `<th scope="col"${right ? ' class="n"' : ''}${attribute('title', infoText)}>${escapeHtml(name)}${below}</th>`
}

function bodyCells(column: VisibleColumn, gap: number | undefined, most: number): string[] {
  const { cells } = column
  const texts = cells.map((cell) => shortText(cell.text, column.right, most))
  if (gap !== undefined) texts.splice(gap, 0, '…')
  const blanks = column.right ? pointPadding(texts) : []
  return texts.map((text, i) => {
    const cell = i === gap ? undefined : cells[gap !== undefined && i > gap ? i - 1 : i]
    const kind = cell === undefined ? 'g' : cell.missing ? 'm' : column.isLabel ? 'l' : ''
    const className = [column.right ? 'n' : '', kind].filter((part) => part).join(' ')
    const title = cell?.missing
      ? say('missing')
      : cell?.secret
        ? say('a credential')
        : cell && cell.text !== text
          ? cell.text
          : ''
    return `<td${attribute('class', className)}${attribute('title', title)}>${escapeHtml(text)}${blanks[i] ?? ''}</td>`
  })
}

/** A count with `,` between thousands. */
export function withThousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

function footer(data: VisibleData, columns: number): string {
  const { total, rows, dataset, incomplete } = data
  const parts = [
    say`${counted(total.rows, 'row', withThousands(total.rows))} × ${counted(total.columns, 'column', withThousands(total.columns))}`,
    ...(rows < total.rows ? [say`${counted(rows, 'row', withThousands(rows))} shown`] : []),
    ...(columns < total.columns ? [say`${counted(columns, 'column', withThousands(columns))} shown`] : []),
  ].join(say(', '))
  const origin = dataset === undefined ? '' : `${escapeHtml(printable(dataset))} · `
  const why = escapeHtml(printable(say`: ${incomplete ?? ''}`))
  const note = incomplete ? why : ''
  const suspect = data.suspect.map((line) => `\n<p><b>!</b> ${escapeHtml(line)}</p>`).join('')
  return `<p>${origin}${parts}${incomplete === undefined ? '' : ` · <b>${say('not complete')}</b>${note}`}</p>${suspect}`
}

/** Markup with the style of the tables in it, to stand by itself. */
export function htmlFrame(markup: string): string {
  return `<div class="quotebook" tabindex="0"><style>\n${style}\n</style>\n${markup}</div>`
}

/** Data as a table of HTML without its style. Every text is escaped; what is cut or missing says so in its title. */
export function htmlTableBody(data: VisibleData, options: ShowOptions = {}): string {
  const label = data.columns.filter(({ isLabel }) => isLabel).length
  const { places, gap } = firstAndLast(data.columns.length, positiveOption('columns', options.columns, 24) + label)
  const most = positiveOption('cell', options.cell, 60)
  const heads: string[] = []
  const bodies: string[][] = []
  for (const place of places) {
    const column = data.columns[place] as VisibleColumn
    heads.push(headCell(column))
    bodies.push(bodyCells(column, data.gap, most))
  }
  const length = bodies[0]?.length ?? 0
  if (gap !== undefined) {
    heads.splice(gap, 0, '<th class="g">…</th>')
    bodies.splice(gap, 0, Array<string>(length).fill('<td class="g">…</td>'))
  }
  const rows = Array.from({ length }, (_, row) => `<tr>${bodies.map((cells) => cells[row] ?? '').join('')}</tr>\n`)
  const table = `<table>\n<thead><tr>${heads.join('')}</tr></thead>\n<tbody>\n${rows.join('')}</tbody>\n</table>\n`
  return `${heads.length > 0 ? table : ''}${footer(data, places.length - label)}`
}

/** Data as a table of HTML that stands by itself, in a light notebook as in a dark one. */
export function htmlTable(data: VisibleData, options: ShowOptions = {}): string {
  return htmlFrame(htmlTableBody(data, options))
}
