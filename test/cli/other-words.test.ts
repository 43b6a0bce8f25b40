import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { here } from '../helper/here.js'

const dir = mkdtempSync(join(tmpdir(), 'quotebook-words-'))
const made = join(dir, 'made')
const size = ['--days', '2', '--symbols', '1']
beforeAll(() => here('sample', '--archive', made, ...size))
afterAll(() => rmSync(dir, { recursive: true }))

/** What is written today, what went before and goes on working, and the words that it was called by. */
const words: readonly (readonly [
  now: string,
  before: string,
  said: readonly (readonly [given: string, word: string])[],
])[] = [
  [
    'sample --days 1 --symbols 1 --archive HERE/a',
    'sample --days 1 --symbols 1 --out HERE/b',
    [['--out', '--archive']],
  ],
  [
    'copy --source MADE --archive HERE/c',
    'copy --from MADE --to HERE/d',
    [
      ['--from', '--source'],
      ['--to', '--archive'],
    ],
  ],
  ['status --source MADE', 'status MADE', [['DIR', '--source DIR']]],
  ['archive repair --archive MADE', 'archive repair MADE', [['DIR', '--archive DIR']]],
  ['ticks verify --source MADE', 'ticks verify MADE', [['DIR', '--source DIR']]],
  [
    'ticks fetch --year 2026 --source MADE --archive HERE/e',
    'ticks fetch --year 2026 --source MADE --dest HERE/f',
    [['--dest', '--archive']],
  ],
]

const run = (line: string) => here(...line.replaceAll('HERE', dir).replaceAll('MADE', made).split(' '))
/** What does not depend on where it was written to. */
const plain = (text: string): string => text.replaceAll(/\S*\/[a-f](?=[:,\s])/g, 'THERE')

test.each(words)('%j does what %j did, which goes on working and is told', async (now, before, said) => {
  const [one, other] = [await run(now), await run(before)]
  const told = said.map(
    ([given, word]) => `write ${word} in the place of ${given}, as in every command; what you wrote goes on working`,
  )
  const lines = other.err.split('\n')
  expect([one.code, other.code, lines.slice(0, told.length)]).toEqual([0, 0, told])
  expect([plain(other.out), plain(lines.slice(told.length).join('\n'))]).toEqual([plain(one.out), plain(one.err)])
})

test.each([
  ['copy --from MADE --source MADE --archive HERE/h', '--from', '--source'],
  ['copy --source MADE --from MADE --archive HERE/h', '--from', '--source'],
  ['archive repair MADE --archive MADE', 'DIR', '--archive'],
  ['ticks verify MADE --source MADE', 'DIR', '--source'],
])('%s: two words for one place are refused', async (line, one, other) => {
  const ran = await run(line)
  expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(`${one} and ${other} are two words for one place`)])
})

test('how many rows there are is said alike by the sample and by the status, and what has no count has its reason', async () => {
  const { err } = await here('sample', '--archive', join(dir, 'i'), ...size)
  const [, rows, datasets, ticks] = /of (\d+) rows of (\d+) datasets and (\d+) auction ticks of 2 days/.exec(err) ?? []
  const status = await run('status --source HERE/i --format json')
  const all: { dataset: string; rows: number; covered: number | null }[] = JSON.parse(status.out)
  expect(all.reduce((sum, one) => sum + one.rows, 0)).toBe(Number(rows))
  expect(new Set(all.map(({ dataset }) => dataset)).size).toBe(Number(datasets))
  expect((await run('ticks verify --source HERE/i')).err).toContain(`2 files, ${ticks} rows`)
  expect(status.err).toMatch(/^no count under covered: nobody said which days of hotstock are/m)
})
