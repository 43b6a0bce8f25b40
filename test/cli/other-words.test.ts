import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sampleDir } from '../../src/connect.js'
import { quotebook } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

const dir = tempDir()
const made = join(dir, 'made')
beforeAll(() => {
  const { code, err } = quotebook(['sample', '--archive', made, '--days', '2', '--symbols', '1'])
  expect([code, err.trimEnd().split('\n').length]).toEqual([0, 1])
})

const told = (given: string, word: string): string =>
  `write ${word} in the place of ${given}, as in every command; what you wrote goes on working`

/** What is written today, what went before and goes on working, and what is said of it. */
const words: readonly (readonly [now: readonly string[], before: readonly string[], said: readonly string[]])[] = [
  [
    ['sample', '--days', '1', '--symbols', '1', '--archive', join(dir, 'a')],
    ['sample', '--days', '1', '--symbols', '1', '--out', join(dir, 'b')],
    [told('--out', '--archive')],
  ],
  [
    ['copy', '--source', made, '--archive', join(dir, 'c')],
    ['copy', '--from', made, '--to', join(dir, 'd')],
    [told('--from', '--source'), told('--to', '--archive')],
  ],
  [['status', '--source', made], ['status', made], [told('DIR', '--source DIR')]],
  [['archive', 'repair', '--archive', made], ['archive', 'repair', made], [told('DIR', '--archive DIR')]],
  [['ticks', 'verify', '--source', made], ['ticks', 'verify', made], [told('DIR', '--source DIR')]],
  [
    ['ticks', 'fetch', '--year', '2026', '--archive', join(dir, 'e')],
    ['ticks', 'fetch', '--year', '2026', '--dest', join(dir, 'f')],
    [told('--dest', '--archive')],
  ],
]

/** What does not depend on where it was written to. */
const plain = (text: string): string => text.replaceAll(/\S*\/[a-f](?=[:,\s])/g, 'THERE')

test.each(words)('%j does what %j did, which goes on working and is told', (now, before, said) => {
  const [one, other] = [quotebook(now), quotebook(before)]
  expect([one.code, one.err]).toEqual([0, expect.not.stringContaining('goes on working')])
  const lines = other.err.split('\n')
  expect([other.code, lines.slice(0, said.length)]).toEqual([0, said])
  expect([plain(other.out), plain(lines.slice(said.length).join('\n'))]).toEqual([plain(one.out), plain(one.err)])
  const help = quotebook([...now.slice(0, now[0] === 'archive' || now[0] === 'ticks' ? 2 : 1), '--help']).out
  for (const line of said) {
    const word = /of (--\w+),/.exec(line)?.[1]
    if (word !== undefined) expect(help).not.toContain(`${word} <`)
  }
})

test('in Chinese too; the sample is a source of copies; two words for one place are refused', () => {
  const zh = quotebook(['--lang', 'zh', 'copy', '--source', 'sample', '--to', join(dir, 'g')])
  expect([zh.code, zh.err.split('\n')[0]]).toEqual([0, '--to 请改写为 --archive（各命令统一的写法）；原写法仍然有效'])
  expect(quotebook(['copy', '--source', sampleDir, '--archive', join(dir, 'g')]).err).toMatch(/: 0 files copied/)
  for (const [args, one, other] of [
    [['copy', '--from', made, '--source', made, '--archive', join(dir, 'h')], '--from', '--source'],
    [['copy', '--source', made, '--from', made, '--archive', join(dir, 'h')], '--from', '--source'],
    [['archive', 'repair', made, '--archive', made], 'DIR', '--archive'],
    [['ticks', 'verify', made, '--source', made], 'DIR', '--source'],
  ] as const) {
    const ran = quotebook(args)
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(`${one} and ${other} are two words for one place`)])
  }
  expect(quotebook(['archive', 'repair'])).toMatchObject({ code: 2, err: expect.stringContaining('--archive DIR') })
})

test('how many rows there are is said alike by the sample and by the status, and what has no count has its reason', () => {
  const { err } = quotebook(['sample', '--archive', join(dir, 'i'), '--days', '2', '--symbols', '1'])
  const [, rows, datasets, ticks, days] =
    /of (\d+) rows of (\d+) datasets and (\d+) auction ticks of (\d+) days/.exec(err) ?? []
  const status = quotebook(['status', '--source', join(dir, 'i'), '--format', 'json'])
  const all: { dataset: string; rows: number; covered: number | null }[] = JSON.parse(status.out)
  expect(all.reduce((sum, one) => sum + one.rows, 0)).toBe(Number(rows))
  expect([new Set(all.map(({ dataset }) => dataset)).size, Number(days)]).toEqual([Number(datasets), 2])
  const verified = quotebook(['ticks', 'verify', '--source', join(dir, 'i')])
  expect(verified.err).toContain(`2 files, ${ticks} rows`)
  const lists = all.filter(({ dataset }) => dataset === 'hotstock')
  expect([lists.length > 0, ...new Set(lists.map(({ covered }) => covered))]).toEqual([true, null])
  expect(status.err).toMatch(/^no count under covered: nobody said which days of hotstock are whole/m)
})
