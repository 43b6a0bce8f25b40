// Deep: 2,000 worlds against a slow engine in Python.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { has } from '../../helper/server-process.js'
import { answerOf, type World, withNumbers } from './world.js'

const there = has('python3')
const chunk = 500

/** Lines that a script of the oracle writes. */
function lines(script: string, args: readonly string[], input = ''): string[] {
  const options = { input, encoding: 'utf8', maxBuffer: 2 ** 30 } as const
  return execFileSync('python3', [join('test', 'deep', 'research', 'oracle', script), ...args], options)
    .trim()
    .split('\n')
}

type Dated = { readonly day: string }

/** All records of a day in one text, so that the first day that differs can be shown. */
function byDay(answer: Readonly<Record<string, readonly Dated[]>>): Map<string, string[]> {
  const days = new Map<string, string[]>()
  for (const part of ['exRights', 'fills', 'rejected', 'days']) {
    for (const one of answer[part] ?? []) {
      const day = days.get(one.day) ?? []
      days.set(one.day, [...day, `${part} ${JSON.stringify(one)}`])
    }
  }
  return days
}

/*
 * oracle/backtest_oracle.py computes the same accounts with Python's decimal and plain loops; it was written from the conventions
 * alone, by somebody who had not seen the engine. Worlds have all classes, listings, ST, suspensions, limits, ex-rights, ends.
 */
test.skipIf(!there).each([1, 2, 3, 4])(
  '500 worlds give the accounts of the slow engine to the fen, seed %i',
  (seed) => {
    const worlds = lines('make_worlds.py', [String(seed), String(chunk)])
    const answers = lines('backtest_oracle.py', [], worlds.join('\n'))
    let fills = 0
    worlds.forEach((line, at) => {
      const world = JSON.parse(line) as World
      const right = withNumbers(JSON.parse(answers[at] as string)) as Record<string, Dated[]>
      expect(right['error'], `world ${at} of the oracle`).toBeUndefined()
      const ours = answerOf(world) as Record<string, Dated[]>
      const [a, b] = [byDay(ours), byDay(right)]
      for (const day of world.days) expect(a.get(day), `world ${at} of seed ${seed}, ${day}`).toEqual(b.get(day))
      expect(ours['trips'], `world ${at} of seed ${seed}`).toEqual(right['trips'])
      fills += right['fills']?.length ?? 0
    })
    expect(fills).toBeGreaterThan(4000)
  },
)
