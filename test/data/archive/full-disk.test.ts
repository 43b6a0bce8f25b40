/* A file that may not grow beyond so many bytes fails as a disk without room does: the shell sets the limit of a process. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir, treeOf } from '../../helper/temp.js'
import { main } from '../../promise/helper/command.js'

/** Runs the command where no file may have more than so many kB. */
function limited(kilobytes: number, args: readonly string[]) {
  const line = `ulimit -f ${kilobytes}; exec "$0" "$@"`
  const env = { ...process.env, LC_ALL: 'C', QUOTEBOOK_LANG: 'en' }
  const { status, stderr } = spawnSync('bash', ['-c', line, process.execPath, main, ...args], { encoding: 'utf8', env })
  return { code: status, err: stderr }
}

test('an import, a report, a query and a backtest name what they could not write, and leave nothing half', () => {
  const dir = tempDir()
  const [archive, source] = [join(dir, 'archive'), join(dir, 'source')]
  cpSync('test/fixture/archive-0.1.0', archive, { recursive: true })
  mkdirSync(source)
  const strategy = 'notebooks/strategies/double-low.mjs'
  const rows = Array.from({ length: 4000 }, (_, i) => `20260701,${String(i * 7).padStart(6, '0')}`)
  writeFileSync(join(dir, 'st.csv'), `tradedate,symbol\n${rows.join('\n')}\n`)
  const before = treeOf(archive)
  const runs: readonly (readonly [readonly string[], string])[] = [
    [['import', 'st', join(dir, 'st.csv'), '--archive', archive], join(archive, 'st/')],
    [
      ['report', '--days', '1', '--section', 'indices', '--source', 'sample', '--out', join(dir, 'report.html')],
      join(dir, 'report.html'),
    ],
    [
      [
        'query',
        'theme_daily',
        '--params',
        '{"type":"tj","startdate":"20260101","enddate":"20260729"}',
        '--source',
        'sample',
        '--out',
        join(dir, 'rows.csv'),
      ],
      join(dir, 'rows.csv'),
    ],
    [['backtest', strategy, '--from', '20260720', '--source', 'sample', '--out', join(dir, 'run')], join(dir, 'run')],
  ]
  for (const [args, path] of runs) {
    const { code, err } = limited(4, args)
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        `${path}.* can not be written: EFBIG: file too large, write; make room, or choose another disk`,
      ),
    ])
  }
  expect(treeOf(archive)).toEqual(before)
  expect(readdirSync(dir).sort()).toEqual(['archive', 'source', 'st.csv'])
  expect(existsSync(join(dir, 'run'))).toBe(false)
})
