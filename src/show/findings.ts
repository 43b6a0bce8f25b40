import type { Table } from 'apache-arrow'
import { printable } from './cell.js'
import { escaped } from './escaped.js'
import { bareMarkup, styleSheet } from './markup.js'
import { makeRich } from './rich.js'
import { sightOf } from './sight.js'
import { terminalWidth } from './terminal.js'
import { textOf, usualWidth } from './text.js'
import { viewOf } from './view.js'
import { cut } from './width.js'

/** What a check hands back, as far as it is shown. */
export interface Findings {
  readonly name: string
  readonly rows: number
  readonly counts: Readonly<Record<string, number>>
  readonly ok: boolean
  readonly table: Table
  readonly worst: Table
}

function headline({ name, rows, counts, ok }: Findings): string {
  const found = Object.entries(counts).flatMap(([verdict, count]) => (count > 0 ? [`${count} ${verdict}`] : []))
  const verdict = ok ? 'no row contradicts the rule' : 'some rows contradict the rule'
  return printable(`${name}: ${rows} ${rows === 1 ? 'row' : 'rows'}, ${[...found, verdict].join(', ')}`)
}

/** The result of a check shows its verdict, its counts, and the worst rows where there are any, otherwise the first. */
export function richFindings<F extends Findings>(findings: F): F {
  return makeRich(findings, (self) => {
    const shown = self.worst.numRows > 0 ? self.worst : self.table
    const caption = self.worst.numRows > 0 ? 'worst rows first' : 'all rows'
    const head = `${headline(self)}; ${caption}`
    const view = () => viewOf(sightOf(shown))
    return {
      text: () => {
        const width = terminalWidth() ?? usualWidth
        return `${cut(head, width)}\n${textOf(view(), { width })}`
      },
      html: () =>
        `<div class="quotebook">${styleSheet}\n<p><b>${self.ok ? '✓' : '✗'}</b> ${escaped(head)}</p>\n${bareMarkup(view())}</div>`,
      word: () => headline(self),
    }
  })
}
