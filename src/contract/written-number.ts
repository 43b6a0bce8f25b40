import { chineseUnits } from './labels.js'

const form =
  /^([-+]?)(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d*))?(?:e([-+]?\d{1,3}))?\s*(万亿|[千万亿])?(元|股|张|份|手|点|%|％)?$/i
const scales: Readonly<Record<string, number>> = { 千: 3, 万: 4, 亿: 8, 万亿: 12 }

/** What a unit counts, and by which power of ten: `10,000 yuan` are 元 times 10^4, a ratio is % times 10^2. */
function unitParts(unit: string): { readonly of: string; readonly power: number } {
  if (unit === 'ratio') return { of: '%', power: 2 }
  const [, scale = '', of = ''] = /^(万亿|[千万亿])?(.*)$/.exec(chineseUnits[unit] ?? unit) ?? []
  return { of, power: scales[scale] ?? 0 }
}

/**
 * The number that a text stands for as people and terminals write it, in the unit of its column: `1,580`, `3.2万`, `15.14亿元`, `12.5%`. Undefined for any other text,
 * for another unit than the column's, and for a percentage where the column does not say whether it is one or a ratio.
 */
export function writtenNumber(text: string, unit?: string): number | undefined {
  const [all, sign, whole, fraction, exponent = '0', scale = '', of = ''] = form.exec(text) ?? []
  if (all === undefined || (whole === undefined && !fraction)) return undefined
  const digits = `${sign}${whole?.replaceAll(',', '') ?? ''}.${fraction ?? ''}`
  const own = unit === undefined ? undefined : unitParts(unit)
  const given = of.replace('％', '%')
  if (given !== '' && own ? own.of !== given : given === '%') return undefined
  const shift = scale === '' && given === '' ? 0 : (scales[scale] ?? 0) - (own?.power ?? 0)
  const value = Number(`${digits}e${Number(exponent) + shift}`)
  return Number.isFinite(value) ? value : undefined
}
