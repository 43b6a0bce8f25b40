import { InvalidArgumentError, Option } from 'commander'
import { isDate } from '../contract/date.js'
import { formats } from './output.js'

export function formatOption(): Option {
  return new Option(
    '--format <format>',
    'how to write the rows; without it as the name of --out says, or a table',
  ).choices(formats)
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
export function nameValuePair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at <= 0) throw new InvalidArgumentError('It must be NAME=VALUE.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

/** A whole number of at least `least`. */
export function wholeAtLeast(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`)
    }
    return value
  }
}

/** A number above 0. */
export function ratio(text: string): number {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || !(value > 0)) throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

/** A date `YYYYMMDD`. */
export function date(text: string): string {
  if (!isDate(text)) throw new InvalidArgumentError('It must be a date YYYYMMDD.')
  return text
}
