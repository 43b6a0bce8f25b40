import { InvalidArgumentError, Option } from 'commander'
import { connect } from '../connect.js'
import { QuotebookError } from '../contract/error.js'
import type { Market } from '../market.js'
import { formats } from './output.js'

/** `--source`, or QUOTEBOOK_SOURCE. */
export function sourceOption(): Option {
  return new Option(
    '--source <source>',
    "'sample' (the archive that comes with quotebook) or the directory of an archive",
  )
    .env('QUOTEBOOK_SOURCE')
    .default('sample')
}

export function formatOption(): Option {
  return new Option('--format <format>', 'how to write the rows').choices(formats).default('table')
}

/** A JSON object given on the command line. */
export function jsonObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InvalidArgumentError(`It is not JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidArgumentError('It must be a JSON object.')
  return value as Record<string, unknown>
}

/** `name=value`, gathered over repeated options. */
export function pair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at <= 0) throw new InvalidArgumentError('It must be NAME=VALUE.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

/** A whole number of at least `least`. */
export function count(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`)
    }
    return value
  }
}

/** The market behind `--source`. */
export function open(source: string): Promise<Market> {
  if (/^https?:\/\//i.test(source)) {
    throw new QuotebookError(
      'USAGE',
      "http(s) sources are not part of this version: give 'sample' or the directory of an archive",
    )
  }
  return source === 'sample' || source === '' ? connect() : connect({ archive: source })
}
