import { createHash } from 'node:crypto'
import { type Html, html, trusted } from './html.js'
import { inertJson, liveScript } from './live-script.js'
import type { PagePlot } from './plot.js'

/** What a page whose charts answer holds beside its drawings. */
interface LiveParts {
  /** What its policy lets run: this one script. */
  readonly policy: string
  /** The plots as JSON that nothing runs, and the script. */
  readonly scripts: Html
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
