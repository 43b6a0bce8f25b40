import { gridText, html, htmlGrid, type Section } from '../html.js'
import type { RunSheet } from './sheet-context.js'

/** Every option of the run as it was given, names in order. */
function optionRows(value: object, prefix = ''): (readonly [string, string])[] {
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, one]): (readonly [string, string])[] => {
      if (one === undefined || typeof one === 'function') return []
      if (typeof one === 'object' && one !== null && !Array.isArray(one)) return optionRows(one, `${prefix}${name}.`)
      return [[`${prefix}${name}`, typeof one === 'string' ? one : JSON.stringify(one)]]
    })
}

/** With what the run can be made again. */
export function runSection({ say, run, rates, options }: RunSheet): Section {
  const own = { ...rates, ...(options.window === undefined ? {} : { window: options.window }) }
  const rows = [...optionRows(run?.options ?? {}), ...optionRows(own)]
  const hashes = Object.entries(run?.hashes ?? {}).map(([name, hash]) => [`${name}, sha256`, hash] as const)
  const body = html`<p class="note">${say('The same version with the same prices, strategy and options gives this page again, byte for byte.')}</p>
${htmlGrid(
  say('The run'),
  [...rows, ...hashes],
  [
    gridText(say('option'), ([name]) => html`<bdi>${name}</bdi>`),
    gridText(say('value'), ([, value]) => html`<bdi>${value}</bdi>`, 'prose'),
  ],
)}`
  return { id: 'run', title: say('The run'), body }
}
