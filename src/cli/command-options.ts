import { InvalidArgumentError } from 'commander'
import { writtenDate } from '../contract/date.js'
import type { Days } from '../contract/day-list.js'
import { withoutMark } from '../contract/without-mark.js'
import { say } from './chosen-language.js'
import type { CommandWords } from './declare-command.js'
import { formats } from './output.js'

/** Where rows come from. */
// biome-ignore format: a table, one word a line
export const sourceWord = {
  '--source <source>': ["directory of an archive, its address in ClickHouse (clickhouse://…), or base addresses of a service (https://…) separated by commas (default: 'sample')", { env: 'QUOTEBOOK_SOURCE' }],
} as const satisfies CommandWords

// biome-ignore format: a table, one word a line
export const verboseWord = {
  '--verbose': ['print a line on stderr for each request to a service'],
} as const satisfies CommandWords

/** Where answers may come from an archive too. */
// biome-ignore format: a table, one word a line
export const sourceWords = {
  ...sourceWord,
  '--cache <dir>': ['keep settled days of a service in this archive, and read them from it', { env: 'QUOTEBOOK_CACHE' }],
  '--as-of <time>': ['query the archive as of this moment, Beijing time: 2026-07-30T22:00'],
  ...verboseWord,
} as const satisfies CommandWords

// biome-ignore format: a table, one word a line
export const strategiesWord = {
  '--strategies <dir>': ['folder of strategies that agents may backtest, study and plan with, by their names; and of paper accounts that they may read'],
} as const satisfies CommandWords

// biome-ignore format: a table, one word a line
export const interactiveWord = {
  '--interactive': ['interactive charts with crosshair, zoom and series on and off; adds one inline script of about 600 kB'],
} as const satisfies CommandWords

// biome-ignore format: a table, one word a line
export const formatWord = {
  '--format <format>': ['format of the rows (default: by the name of --out, or a table)', { choices: formats }],
} as const satisfies CommandWords

/** How rows are written. */
// biome-ignore format: a table, one word a line
export const outputWords = {
  ...formatWord,
  '--excel': ['with --format csv: mark it as UTF-8, for Excel; cells that begin like a formula are neutralised, as always'],
  '--out <file>': ['write to a file instead of stdout'],
} as const satisfies CommandWords

/** A JSON object given on the command line. */
export function jsonObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(withoutMark(text))
  } catch (error) {
    throw new InvalidArgumentError(say('It is not JSON: {why}', { why: (error as Error).message }))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidArgumentError(say('It must be a JSON object.'))
  return value as Record<string, unknown>
}

/** `name=value`, gathered over repeated options. */
export function nameValuePair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at <= 0) throw new InvalidArgumentError(say('It must be NAME=VALUE.'))
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

/** Two days, `20260701..20260731`, or one. */
export function daysFromTo(text: string): { from: string; to: string } {
  const [first = '', last = first, ...more] = text.split('..')
  const [from, to] = [writtenDate(first), writtenDate(last)]
  if (more.length > 0 || !from || !to || from > to)
    throw new InvalidArgumentError(say('It must be two days such as 20260701..20260731.'))
  return { from, to }
}

/** Days of a query: the last so many, two with `..` between them, or several with commas. */
export function daysWord(text: string): Days {
  if (/^\d{1,4}$/.test(text)) return wholeAtLeast(1)(text)
  return text.includes(',') ? text.split(',').map(date) : daysFromTo(text)
}

/** A whole number of at least `least`. */
export function wholeAtLeast(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least)
      throw new InvalidArgumentError(say('It must be a whole number of at least {least}.', { least }))
    return value
  }
}

/** A port to listen on; 0: one that is free. */
export function port(text: string): number {
  const value = wholeAtLeast(0)(text)
  if (value > 65_535) throw new InvalidArgumentError(say('A port is a number up to 65535.'))
  return value
}

/** `9100` on this machine, or `0.0.0.0:9100`. */
export function listenAddress(text: string): readonly [host: string, port: number] {
  const at = text.lastIndexOf(':')
  const host = text.slice(0, Math.max(0, at)).replace(/^\[(.*)\]$/, '$1')
  return [host === '' ? '127.0.0.1' : host, port(text.slice(at + 1))]
}

/** A number above 0. */
export function ratio(text: string): number {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || !(value > 0)) throw new InvalidArgumentError(say('It must be a number above 0.'))
  return value
}

/** A date, as `YYYYMMDD` however it is written. */
export function date(text: string): string {
  const found = writtenDate(text)
  if (found === undefined) throw new InvalidArgumentError(say('It must be a date: 20260727, 2026-07-27 or 2026/7/27.'))
  return found
}
