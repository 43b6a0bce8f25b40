import { escapeHtml, printable } from './cell-text.js'
import type { Display } from './displayable.js'
import { htmlFrame } from './html-table.js'
import { terminalWidth } from './terminal.js'
import { alignColumns, defaultWidth } from './text-table.js'
import { truncateText } from './text-width.js'

/** Figures under a heading: the name of each and its values, which stand under heads of their own where there are several. */
export interface FigureGroup {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

function groupTable({ title, heads, rows }: FigureGroup): string {
  const cell = (text: string, at: number): string =>
    `<td${at > 0 ? ' class="n"' : ''}>${escapeHtml(printable(text))}</td>`
  const head = heads.map((text) => `<th scope="col" class="n">${escapeHtml(printable(text))}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>\n`).join('')
  return `<table>\n<thead><tr><th scope="col">${escapeHtml(printable(title))}</th>${head}</tr></thead>\n<tbody>\n${body}</tbody>\n</table>\n`
}

/** All groups in the same columns; names stand in under their heading where there are several. */
function groupLines(groups: readonly FigureGroup[], width: number): readonly string[] {
  const [first] = groups
  const isOne = groups.length === 1
  const rows = groups.flatMap(({ title, rows }) =>
    isOne ? rows : [[title], ...rows.map(([name, ...values]) => [`  ${name}`, ...values])],
  )
  const heads = [isOne ? (first?.title ?? '') : '', ...(first?.heads ?? [])]
  const columns = heads.map((head, at) => ({
    head: printable(head),
    cells: rows.map((row) => printable(row[at] ?? '')),
    right: at > 0,
  }))
  const { lines } = alignColumns(columns, width, 40)
  return isOne ? lines : lines.slice(1)
}

/** A line above figures, which are shown all: group beside group where there is room, in text below each other. */
export function figuresDisplay(head: string, word: string, groups: readonly FigureGroup[]): Display {
  return {
    text: () => {
      const width = terminalWidth() ?? defaultWidth
      return [truncateText(head, width), ...groupLines(groups, width)].join('\n')
    },
    html: () => htmlFrame(`<p>${escapeHtml(head)}</p>\n<div class="f">\n${groups.map(groupTable).join('')}</div>\n`),
    word: () => word,
  }
}
