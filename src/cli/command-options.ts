import { type Command, InvalidArgumentError, Option } from 'commander'
import { isDate } from '../contract/date.js'
import { help, say } from './chosen-language.js'
import { formats } from './output.js'

export function formatOption(): Option {
  return new Option('--format <format>', help('--format')).choices(formats)
}

/** Options of whatever writes rows. @param out what is said of `--out` */
export function withOutput(command: Command, out = help('--out')): Command {
  return command.addOption(formatOption()).option('--excel', help('--excel')).option('--out <file>', out)
}

/** A JSON object given on the command line. */
export function jsonObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InvalidArgumentError(say('not JSON', { why: (error as Error).message }))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidArgumentError(say('no object'))
  return value as Record<string, unknown>
}

/** `name=value`, gathered over repeated options. */
export function nameValuePair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at <= 0) throw new InvalidArgumentError(say('no pair'))
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

/** Two days, `20260701..20260731`, or one. */
export function daysFromTo(text: string): { from: string; to: string } {
  const [from = '', to = from, ...more] = text.split('..')
  if (more.length > 0 || !isDate(from) || !isDate(to) || from > to) throw new InvalidArgumentError(say('no days'))
  return { from, to }
}

/** A whole number of at least `least`. */
export function wholeAtLeast(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(say('no whole number', { least }))
    }
    return value
  }
}

/** A port to listen on; 0: one that is free. */
export function port(text: string): number {
  const value = wholeAtLeast(0)(text)
  if (value > 65_535) throw new InvalidArgumentError(say('no port'))
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
  if (!/^\d+(\.\d+)?$/.test(text) || !(value > 0)) throw new InvalidArgumentError(say('no ratio'))
  return value
}

/** A date `YYYYMMDD`. */
export function date(text: string): string {
  if (!isDate(text)) throw new InvalidArgumentError(say('no date'))
  return text
}
