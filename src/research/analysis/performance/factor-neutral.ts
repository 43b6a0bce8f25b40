import { rank } from '../../../frame/verb/rank.js'

/** Names that a time needs beyond what is taken out. */
const spare = 5

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0)
}

/** What is left of numbers when those in the directions of a basis are taken out; twice, for what rounding leaves. */
function apartFrom(x: Float64Array, basis: readonly Float64Array[]): Float64Array {
  const out = x.slice()
  for (const one of [...basis, ...basis]) {
    const share = dot(out, one)
    for (let at = 0; at < out.length; at++) out[at] = (out[at] as number) - share * (one[at] as number)
  }
  return out
}

/** Directions at right angles of the columns; a column that others make up adds none. */
function basisOf(columns: readonly Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = []
  for (const column of columns) {
    const left = apartFrom(column, basis)
    const size = Math.sqrt(dot(left, left))
    if (size > 1e-8 * Math.sqrt(dot(column, column))) basis.push(left.map((value) => value / size))
  }
  return basis
}

/**
 * The scores of a time with groups and columns taken out: residuals of ordinary least squares of the ranks of the scores on a
 * constant of each group and the ranks of the columns. NaN for names that lack one of them, and for all where there are not 5 more names
 * than terms.
 * @param groups place of each name's group, below 0 for none
 */
export function neutralScore(
  score: Float64Array,
  groups: ArrayLike<number> | undefined,
  columns: readonly Float64Array[],
): Float64Array {
  const out = new Float64Array(score.length).fill(Number.NaN)
  const needed = [score, ...columns]
  const hasAll = (s: number): boolean => needed.every((column) => !Number.isNaN(column[s]))
  const places = [...score.keys()].filter((s) => (groups?.[s] ?? 0) >= 0 && hasAll(s))
  const of = (x: ArrayLike<number>): Float64Array => Float64Array.from(places, (s) => x[s] as number)
  const [ranks, own] = [rank(of(score)), of(groups ?? new Float64Array(score.length))]
  const constants = [...new Set(own)].map((group) => own.map((one) => (one === group ? 1 : 0)))
  const basis = basisOf([...constants, ...columns.map((column) => rank(of(column)) as Float64Array)])
  if (places.length < basis.length + spare) return out
  const left = apartFrom(ranks as Float64Array, basis)
  // Names of equal residuals stay equal.
  for (const [at, s] of places.entries()) out[s] = Math.round((left[at] as number) * 1e8) / 1e8 + 0
  return out
}
