import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Language } from '../../../contract/language.js'
import { escapeHtml } from '../../../frame/show/cell-text.js'
import { inertJson, liveScript } from '../../../research/report/live-script.js'
import { type PagePlot, plotMime } from '../../../research/report/plot.js'
import type { DisplayData } from '../kernel-event.js'
import type { Message } from './wire.js'

interface PackedScript {
  readonly version: string
  readonly markup: string
}

let packed: PackedScript | undefined

/** The script of charts, compressed, as markup that unpacks it once a page. */
function packedScript(): PackedScript {
  if (packed) return packed
  const text = liveScript()
  const version = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const bytes = gzipSync(text, { level: 9 }).toString('base64')
  const markup = `<script>(async()=>{
if(document.querySelector('head>script[data-charts="${version}"]'))return
const own=document.head.appendChild(document.createElement('script'))
own.dataset.charts='${version}'
const bytes=Uint8Array.from(atob('${bytes}'),(one)=>one.charCodeAt(0))
own.textContent=await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
})()</script>`
  packed = { version, markup }
  return packed
}

/** A cell as its front end names it; Jupyter's notebook 6 gives no names, and a cell is known by its code. */
const nameOf = ({ content, metadata }: Message): string => String(metadata['cellId'] ?? content['code'])

/** Charts as a notebook keeps them: each with its plot, and one of them with the script by which all answer. */
export class ChartOutputs {
  /** The cell that has the script; none while it is empty. */
  #carrier = ''
  readonly #language: Language

  constructor(language: Language) {
    this.#language = language
  }

  /** A cell begins, and what it had put out is gone. */
  begin(message: Message): void {
    const gone = [message.metadata['deletedCells'] ?? []].flat()
    if ([nameOf(message), ...gone].includes(this.#carrier)) this.#carrier = ''
  }

  /** What a cell displays; of a chart with what makes it answer where scripts run. */
  shown(data: DisplayData, message: Message): DisplayData {
    const { [plotMime]: plot, ...rest } = data as DisplayData & { readonly [plotMime]?: PagePlot }
    if (plot === undefined) return data
    const { version, markup } = packedScript()
    const parts = [
      `<div lang="${this.#language}" data-charts="${version}" data-plot="${escapeHtml(plot.id)}">`,
      `<script type="application/json">${inertJson(plot)}</script>`,
      `${data['text/html']}</div>`,
      ...(this.#carrier === '' ? [markup] : []),
    ]
    this.#carrier ||= nameOf(message)
    return { ...rest, 'text/html': parts.join('\n') }
  }
}
