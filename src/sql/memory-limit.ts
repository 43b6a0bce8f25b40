import { QuotebookError } from '../contract/error.js'

const units: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
}

/**
 * The option `memory` in bytes: a number of them, or a text such as '2GB' or '512MiB'.
 * @throws QuotebookError USAGE
 */
export function memoryOf(memory: unknown): number {
  const [, count = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?i?b)\s*$/i.exec(String(memory)) ?? []
  const bytes =
    typeof memory === 'number' ? memory : Math.floor(Number(count) * (units[unit.toUpperCase()] ?? Number.NaN))
  if (Number.isSafeInteger(bytes) && bytes >= 2 ** 20) return bytes
  const right = "'2GB', '512MiB' or a number of bytes, of at least 1 MiB"
  throw new QuotebookError('USAGE', `sql: memory must be ${right}, not ${JSON.stringify(memory) ?? String(memory)}`)
}

/** What a query may take when nothing is said: a quarter of the machine, of which DuckDB would take four fifths; at most 4 GiB. */
export function memoryShare(whole: string): number {
  return Math.floor(Math.min(memoryOf(whole) / 0.8 / 4, 4 * 2 ** 30))
}

/** Bytes in words of the option. */
export function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)}MB`
}

/** A query that wants more than its room. */
export function outOfMemory(memory: number, cause?: unknown): QuotebookError {
  const has = `the query needs more memory than the ${inMegabytes(memory)} it may take (and four times as much on the disk)`
  const right = `ask for fewer rows, or raise the option memory: { memory: '${inMegabytes(2 * memory)}' }`
  return new QuotebookError('SQL', `${has}; ${right}`, { cause })
}
