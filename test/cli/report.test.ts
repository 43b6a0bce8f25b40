import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quotebook } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

const dir = tempDir()

/** A report of three days by the built command: its bytes' sha256, and itself. */
function made(args: readonly string[], env: NodeJS.ProcessEnv = {}): { hash: string; page: string } {
  const file = join(dir, 'report.html')
  const ran = quotebook(['report', '--days', '3', '--out', file, ...args], { env })
  expect([ran.code, ran.out]).toEqual([0, `${file}\n`])
  const page = readFileSync(file, 'utf8')
  return { hash: createHash('sha256').update(page).digest('hex'), page }
}

test.each(['en', 'zh'])('%s: the same bytes under other time zones and locales', (lang) => {
  const args = ['--lang', lang]
  const { hash } = made(args, { TZ: 'UTC', LC_ALL: 'C' })
  expect(made(args, { TZ: 'America/New_York', LC_ALL: '', LANG: 'de_DE.UTF-8' }).hash).toBe(hash)
  expect(made(args, { TZ: 'Pacific/Kiritimati', LC_ALL: 'zh_CN.UTF-8' }).hash).toBe(hash)
})

test('the language is that of LANG where none is given; sections are those that are named', () => {
  const { page } = made(['--section', 'southbound,indices'], { LC_ALL: '', LANG: 'zh_CN.UTF-8' })
  expect(page).toContain('<html lang="zh-CN">')
  expect([...page.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id)).toEqual(['indices', 'southbound'])
  const ran = quotebook(['report', '--section', 'indizes', '--out', join(dir, 'none.html')])
  expect([ran.code, ran.err]).toEqual([2, "quotebook: the report has no section 'indizes'; did you mean 'indices'?\n"])
})
