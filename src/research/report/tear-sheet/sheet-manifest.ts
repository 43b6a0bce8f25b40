import { createHash } from 'node:crypto'
import { digest } from '../../../frame/table/digest.js'
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
