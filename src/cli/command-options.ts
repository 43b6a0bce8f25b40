import { InvalidArgumentError } from 'commander'
import { writtenDate } from '../contract/date.js'
import type { Days } from '../contract/day-list.js'
import { withoutMark } from '../contract/without-mark.js'
import { say } from './chosen-language.js'
import type { Words } from './declare-command.js'
import { formats } from './output.js'

/** Where rows come from. */
// biome-ignore format: a table, one word a line
export const sourceWord: Words = {
  '--source <source>': ["'sample' (the default), the directory of an archive, its address in ClickHouse (clickhouse://…), or base addresses of a service (https://…) separated by commas", "'sample'（默认）、归档目录、ClickHouse 地址（clickhouse://…），或服务的基础地址（https://…），多个地址用逗号分隔", { env: 'QUOTEBOOK_SOURCE' }],
}

// biome-ignore format: a table, one word a line
export const verboseWord: Words = {
  '--verbose': ['a line on stderr for each request to a service', '每次请求服务时在 stderr 输出一行'],
}

/** Where answers may come from an archive too. */
// biome-ignore format: a table, one word a line
export const sourceWords: Words = {
  ...sourceWord,
  '--cache <dir>': ['keep settled days of a service in this archive, and read them from it', '把服务中已定稿的交易日保存到该归档，此后从中读取', { env: 'QUOTEBOOK_CACHE' }],
  '--as-of <time>': ['read the archive as it was known at this moment, Beijing time: 2026-07-30T22:00', '按该时刻（北京时间）已知的内容读取归档：2026-07-30T22:00'],
  ...verboseWord,
}

// biome-ignore format: a table, one word a line
export const strategiesWord: Words = {
  '--strategies <dir>': ['folder of strategies that agents may backtest, study and plan with, by their names; and of paper accounts that they may read', '策略目录：智能体可按名称回测、考察因子、制定计划，并可读取其中的模拟账户'],
}

// biome-ignore format: a table, one word a line
export const interactiveWord: Words = {
  '--interactive': ['charts of the page that answer: crosshair, zoom, series on and off; adds one script of the page\'s own, some 600 kB', '页面图表可交互：十字光标、缩放、显示或隐藏序列；页面内嵌一段自带脚本，约 600 kB'],
}

// biome-ignore format: a table, one word a line
export const formatWord: Words = {
  '--format <format>': ['how to write the rows; without it as the name of --out says, or a table', '输出格式；默认由 --out 的文件名决定，否则为表格', { choices: formats }],
}

/** How rows are written. */
// biome-ignore format: a table, one word a line
export const outputWords: Words = {
  ...formatWord,
  '--excel': ['with --format csv: mark it as UTF-8, for Excel; cells that begin like a formula are neutralised, as always', '与 --format csv 合用：加 UTF-8 标记，供 Excel 打开；形似公式的单元格照例作无害处理'],
  '--out <file>': ['write to a file instead of stdout', '写入文件，而不是 stdout'],
}

/** A JSON object given on the command line. */
export function jsonObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(withoutMark(text))
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
  const [first = '', last = first, ...more] = text.split('..')
  const [from, to] = [writtenDate(first), writtenDate(last)]
  if (more.length > 0 || !from || !to || from > to) throw new InvalidArgumentError(say('no days'))
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

/** A date, as `YYYYMMDD` however it is written. */
export function date(text: string): string {
  const found = writtenDate(text)
  if (found === undefined) throw new InvalidArgumentError(say('no date'))
  return found
}
