import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quotebook } from './command.js'
import { folder } from './files.js'

/** A strategy's file, and the paper accounts that the command keeps with it. */

export const strategyLines = [
  'export default {',
  "  data: { dataset: 'convertible_daily' },",
  '  score: (bond) => bond.close + bond.cb_over_rate,',
  "  pick: { n: 5, side: 'lowest', exitRank: 6 },",
  '  when: { every: 2 },',
  '}',
  '',
]

/** A day of an account as it is written. */
export interface PaperDay {
  readonly asOf: string | null
  readonly plan: { readonly orders: readonly object[] }
  readonly day: string
  readonly equity: number
  readonly cash: number
  readonly fills: readonly object[]
  readonly rejected: readonly object[]
  readonly events: readonly object[]
  readonly holdings: readonly object[]
}

/** A new folder with the file of a strategy. */
export function strategyFolder(): { readonly dir: string; readonly file: string } {
  const dir = folder()
  const file = join(dir, 'low.mjs')
  writeFileSync(file, strategyLines.join('\n'))
  return { dir, file }
}

export const paperCash = ['--cash', '300000'] as const

/** Plans an evening of an account by the command. */
export const eveningOf =
  (file: string) =>
  (account: string, day: string, ...words: string[]) =>
    quotebook(['plan', file, '--account', account, '--day', day, ...paperCash, ...words])

export function paperDays(account: string): PaperDay[] {
  const names = readdirSync(join(account, 'days')).sort()
  return names.map((name) => JSON.parse(readFileSync(join(account, 'days', name), 'utf8')))
}
