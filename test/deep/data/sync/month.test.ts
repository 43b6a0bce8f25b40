// Deep: a month of 31 trading days, with faults.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followMonth, type Month } from '../../../helper/month.js'
import { monthDays, monthFaults, monthPlan } from '../../../helper/month-faults.js'
import { tempDir } from '../../../helper/temp.js'

/** FAULT=words: each fault that has them in its name, in nine days of its own; DATASETS=names: of these alone; SKIP=words: the month without them; REPORT=file: what came of each. */
const { FAULT, DATASETS, SKIP = '^$', REPORT } = process.env

function report(name: string, { ends, silent, unnamed, told, runs, requests }: Month, began: number): void {
  const seconds = Math.round((performance.now() - began) / 1000)
  const few = (list: readonly unknown[]): unknown => [list.length, ...list.slice(0, 40)]
  const failed = runs.filter(({ failed }) => failed !== undefined)
  const line = { name, unnamed: few(unnamed), told: few(told), ends: few(ends), silent: few(silent) }
  const more = {
    failed: few(failed.map(({ at, failed }) => `${at.slice(5, 16)} ${failed?.slice(0, 160)}`)),
    runs: runs.length,
    requests,
    seconds,
  }
  if (REPORT) appendFileSync(REPORT, `${JSON.stringify({ ...line, ...more })}\n`)
}

const names =
  FAULT === undefined ? [] : ['nothing', ...Object.keys(monthFaults)].filter((name) => new RegExp(FAULT).test(name))

async function follow(name: string, days: readonly string[], plan: Readonly<Record<string, number>>): Promise<void> {
  const began = performance.now()
  const month = await followMonth(join(tempDir(), 'own'), days, plan, DATASETS?.split(','))
  report(name, month, began)
  const { unnamed, ends, silent } = month
  expect({ unnamed, ends, silent }).toEqual({ unnamed: [], ends: [], silent: [] })
}

test.each(names)('nine days with %s: each day is right or named, and the follower goes on', (name) =>
  follow(name, monthDays.slice(-9), name === 'nothing' ? {} : { [name]: 6 }),
)

const plan = Object.entries(monthPlan).filter(([name]) => !new RegExp(SKIP).test(name))
test.each(FAULT === undefined ? [Object.fromEntries(plan)] : [])(
  'a month with all of them',
  { timeout: 3_600_000 },
  (all) => follow('month', monthDays, all),
)
