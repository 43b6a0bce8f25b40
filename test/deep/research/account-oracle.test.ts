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

/** What a decision saw, with quotients that may differ in their last digits. */
function nearly(seen: unknown): unknown {
  return JSON.parse(JSON.stringify(seen), (name, value: unknown) =>
    name === 'entryPrice' || name === 'highSinceEntry' ? expect.closeTo(Number(value), 6) : value,
  )
}

/*
 * The same of strategies that know their account: sizes at the decision and at the fill, swap, keep, exits, state. The slow engine runs each
 * program in Python; here it is a strategy as somebody would write it.
 */
test.skipIf(!there).each([11, 12])(
  '200 worlds of programs give the accounts of the slow engine to the fen, seed %i',
  (seed) => {
    const worlds = lines('make_worlds.py', [String(seed), '200', '--programs'])
    const answers = lines('backtest_oracle.py', [], worlds.join('\n'))
    const counted: Record<string, number> = {}
    worlds.forEach((line, at) => {
      const world = JSON.parse(line) as World
      const right = withNumbers(JSON.parse(answers[at] as string)) as Record<string, Dated[]>
      const which = `world ${at} of seed ${seed}, ${world.program?.kind}`
      expect(right['error'], which).toBeUndefined()
      const ours = answerOf(world) as Record<string, Dated[]>
      const [a, b] = [byDay(ours), byDay(right)]
      world.days.forEach((day, place) => {
        expect(ours['seen']?.[place], `${which}, ${day}`).toEqual(nearly(right['seen']?.[place]))
        expect(a.get(day), `${which}, ${day}`).toEqual(b.get(day))
      })
      expect(ours['trips'], which).toEqual(right['trips'])
      for (const [name, count] of Object.entries(right['counts'] ?? {}))
        counted[name] = (counted[name] ?? 0) + Number(count)
    })
    for (const [name, count] of Object.entries(counted)) expect(count, name).toBeGreaterThan(0)
    expect(counted['sizesDiffer']).toBeGreaterThan(200)
  },
)
