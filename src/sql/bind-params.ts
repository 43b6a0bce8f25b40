import { QuotebookError } from '../contract/error.js'
import type { Engine, Type } from './duckdb.js'

/** A value of a query: a list of text for `= any($codes)`; null and NaN are missing. */
export type SqlParam = string | number | boolean | null | readonly string[]

/** By place (`$1`, `?`) or by name (`$from`). */
export type SqlParams = readonly SqlParam[] | Readonly<Record<string, SqlParam>>

function bound(value: unknown, name: string, engine: Engine): readonly [unknown, Type] {
  if (typeof value === 'string') return [value, engine.VARCHAR]
  if (typeof value === 'boolean') return [value, engine.BOOLEAN]
  if (value === null || Number.isNaN(value)) return [null, engine.VARCHAR]
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return [value, engine.DOUBLE]
    return value === (value | 0) ? [value, engine.INTEGER] : [BigInt(value), engine.BIGINT]
  }
  if (Array.isArray(value) && value.every((word) => typeof word === 'string')) {
    return [engine.listValue(value), engine.LIST(engine.VARCHAR)]
  }
  throw new QuotebookError('USAGE', `param ${name} must be text, a number, true, false, null or a list of text`)
}

/**
 * Params as DuckDB binds them.
 * @throws QuotebookError USAGE for a value that is none of SqlParam
 */
export function binding(params: SqlParams, engine: Engine) {
  const pairs = Object.entries(params).map(
    ([name, value]) =>
      [name, bound(value, Array.isArray(params) ? `$${Number(name) + 1}` : `$${name}`, engine)] as const,
  )
  const pick = <T>(part: (pair: readonly [unknown, Type]) => T) =>
    Array.isArray(params)
      ? pairs.map(([, pair]) => part(pair))
      : Object.fromEntries(pairs.map(([name, pair]) => [name, part(pair)]))
  return { values: pick(([value]) => value), types: pick(([, type]) => type), count: pairs.length }
}
