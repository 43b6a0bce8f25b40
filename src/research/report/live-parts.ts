import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import root from '#root'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { type Html, html, trusted } from './html.js'
import type { PagePlot } from './plot.js'

/** What a page whose charts answer holds beside its drawings. */
interface LiveParts {
  /** What its policy lets run: this one script. */
  readonly policy: string
  /** The plots as JSON that nothing runs, and the script. */
  readonly scripts: Html
}

let script: string | undefined

/** The script that makes charts answer; src/build/lib.mjs builds it. @throws QuotebookError PACKAGE when it is not there */
function liveScript(): string {
  try {
    script ??= readFileSync(join(root, 'dist', 'lib', 'live-page.js'), 'utf8').trim()
    return script
  } catch (cause) {
    throw new QuotebookError(
      'PACKAGE',
      sentence`the script of the page is not there: dist/lib of the package is missing`,
      {
        cause,
      },
    )
  }
}

/** JSON that can stand in a script element. Numbers are whole doubles: cut ones would be rounded otherwise than in the tables. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** Plots that answer, in a page that runs nothing else. */
export function liveParts(plots: readonly PagePlot[]): LiveParts | undefined {
  if (plots.length === 0) return undefined
  const text = liveScript()
  const hash = createHash('sha256').update(text).digest('base64')
  return {
    policy: `script-src 'sha256-${hash}'; `,
    scripts: html`<script type="application/json" id="plots">${trusted(inertJson([...new Map(plots.map((one) => [one.id, one])).values()]))}</script>
<script>${trusted(text)}</script>
`,
  }
}
