import { createHash } from 'node:crypto'
import { digest } from '../../../frame/table/digest.js'
import { grid, html, htmlGrid, type Section } from '../html.js'
import type { DocumentManifest } from '../html-document.js'
import type { PageInput } from '../verify/page-manifest.js'
import type { RunSheet } from './sheet-context.js'

/** sha256 of numbers as little-endian doubles, a missing one as the NaN 7ff8000000000000. */
export function hashOfNumbers(values: ArrayLike<number>): string {
  const view = new DataView(new ArrayBuffer(8 * values.length))
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    view.setFloat64(8 * i, Number.isNaN(value) ? Number.NaN : value, true)
  }
  return createHash('sha256').update(view).digest('hex')
}

const tableNames = ['account', 'fills', 'rejected', 'positions', 'trips', 'events'] as const

/** What a tear sheet says of how it was made. */
export function sheetManifest({ run, own, benchmark, rates, options }: RunSheet): DocumentManifest {
  const { title, lang = 'en', window, sweep, walkForward, trials, source, command } = options
  const series = (name: string, values: ArrayLike<number>): PageInput => {
    return { name, rows: values.length, sha256: hashOfNumbers(values) }
  }
  const tables = tableNames.flatMap((name): PageInput[] => {
    const table = run?.[name]
    return table ? [{ name, rows: table.numRows, sha256: digest(table) }] : []
  })
  const { strategy, panel } = run?.hashes ?? {}
  return {
    kind: 'tear-sheet',
    options: {
      ...rates,
      title,
      lang,
      window,
      command,
      run: run?.options,
      sweep: sweep?.trials.length,
      folds: walkForward?.folds.length,
      trials: typeof trials === 'number' ? trials : trials?.length,
    },
    ...(source && { source }),
    ...(strategy !== undefined && { code: { name: command?.file, sha256: strategy } }),
    inputs: [
      ...(panel === undefined ? [] : [{ name: 'panel', rows: own.days.length, sha256: panel }]),
      series('returns', own.returns),
      ...(benchmark ? [series('benchmark', benchmark.returns)] : []),
      ...tables,
    ],
  }
}

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
  const hashes = Object.entries(run?.hashes ?? {}).map(([name, hash]) => [`${name}${say(', ')}sha256`, hash] as const)
  const body = html`<p class="note">${say('The same version with the same prices, strategy and options gives this page again, byte for byte.')}</p>
${htmlGrid(
  say('The run'),
  [...rows, ...hashes],
  [
    grid.text(say('option'), ([name]) => html`<bdi>${name}</bdi>`),
    grid.text(say('value'), ([, value]) => html`<bdi>${value}</bdi>`, 'prose'),
  ],
)}`
  return { id: 'run', title: say('The run'), body }
}
