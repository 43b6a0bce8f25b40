/* Deep: what the pages give to systemd, cron and logrotate is read by these programs, and what it runs is run. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { documents, env, isChinese, textOf } from '../../helper/documents.js'
import { until } from '../../helper/many.js'
import { command, endAll, served } from '../../helper/served.js'
import { freePort, placeOf } from '../../helper/server-process.js'
import { tempDir } from '../../helper/temp.js'

afterAll(endAll)

/** A program of this machine. Without it nothing is shown, and the test fails. */
function runs(name: string, packageName: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  const place = placeOf(name)
  if (place === undefined) throw new Error(`no ${name} found; Debian: apt-get install ${packageName}`)
  return spawnSync(place, args, { encoding: 'utf8', env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' } })
}

const root = tempDir()
const shown = documents
  .filter((document) => !isChinese(document))
  .flatMap((document) => [...textOf(document).matchAll(/^```(\w*)(?: (\S+))?\n([\s\S]*?)^```/gm)])
  .map(([, , name = '', text = '']) => ({ name, text }))
/** A file of the pages, its places below `root`. */
function fileOf(name: string): string {
  const { text = '' } = shown.find((one) => one.name === name) ?? {}
  return text
    .replaceAll('/etc/quotebook', `${root}/etc`)
    .replaceAll('/var/lib/quotebook', `${root}/lib`)
    .replaceAll('/var/backups/quotebook', `${root}/backups`)
    .replaceAll('/var/log/quotebook', `${root}/log`)
    .replaceAll('%d/link', `${root}/etc/link`)
    .replaceAll('/usr/bin/quotebook', 'quotebook')
}
const written = (name: string, text = fileOf(name)): string => {
  writeFileSync(join(root, name), text)
  return join(root, name)
}
const services = shown.filter(({ name }) => name.endsWith('.service'))
const timers = shown.filter(({ name }) => name.endsWith('.timer'))

test('every unit has a name, is right to systemd, and is exposed by 3.0 at most', () => {
  expect(shown.filter(({ text }) => /^\[(Service|Timer)\]$/m.test(text))).toEqual(
    shown.filter(({ name }) => /\.(service|timer)$/.test(name)),
  )
  expect(services.map(({ name }) => name).sort()).toEqual([
    'quotebook-follow.service',
    'quotebook-serve.service',
    'quotebook-sync.service',
  ])
  const bin = join(root, 'quotebook')
  writeFileSync(bin, '#!/bin/sh\n')
  chmodSync(bin, 0o755)
  const paths = [...services, ...timers].map(({ name, text }) =>
    written(name, text.replaceAll('/usr/bin/quotebook', bin)),
  )
  const verified = runs('systemd-analyze', 'systemd', 'verify', '--man=no', ...paths)
  expect([verified.status, verified.stderr]).toEqual([0, ''])
  for (const path of paths.filter((one) => one.endsWith('.service'))) {
    const { stdout } = runs('systemd-analyze', 'systemd', 'security', '--offline=true', '--no-pager', path)
    const [, exposure = 'none'] = /Overall exposure level for \S+: (\d+\.\d+)/.exec(stdout) ?? []
    expect(Number(exposure), stdout).toBeLessThanOrEqual(3)
    const text = readFileSync(path, 'utf8')
    for (const setting of ['MemoryMax', 'TimeoutStopSec', 'User']) expect(text).toMatch(new RegExp(`^${setting}=`, 'm'))
    if (!text.includes('Type=oneshot')) expect(text).toContain('ExecReload=/bin/kill -HUP $MAINPID\n')
  }
})

test('timers run at 15:45 and 22:15 of Beijing, on weekdays', () => {
  const lines = shown.flatMap(({ text }) => [...text.matchAll(/^OnCalendar=(.*)$/gm)].map(([, line = '']) => line))
  expect(lines).toHaveLength(2)
  const moments = lines.flatMap((line) => {
    const options = ['calendar', '--iterations=14', '--base-time=2026-02-28 12:00:00 UTC']
    const { stdout } = runs('systemd-analyze', 'systemd', ...options, line)
    return [...stdout.matchAll(/(?:Next elapse|Iter\. #\d+): \w+ (\S+) (\S+) UTC/g)].map(([, day, time]) =>
      new Date(Date.parse(`${day}T${time}Z`) + 8 * 3_600_000).toUTCString().replace(/, .* (\d\d:\d\d):00 GMT/, ' $1'),
    )
  })
  const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
  expect(moments).toHaveLength(28)
  expect([...new Set(moments)].sort()).toEqual(week.flatMap((day) => [`${day} 15:45`, `${day} 22:15`]).sort())
})

test('lines of cron are right to that of Debian, and run at these times whatever the time zone of the machine', () => {
  const tables = shown.filter(({ name }) => name.endsWith('.crontab'))
  expect(shown.filter(({ text }) => /^(CRON_)?TZ=|^[\d*/,-]+( [\d*/,-]+){4} /m.test(text))).toEqual(tables)
  for (const { name, text } of tables) {
    const checked = runs('crontab', 'cron', '-n', written(name, text))
    expect([checked.status, checked.stdout + checked.stderr]).toEqual([0, expect.not.stringMatching(/error|bad/i)])
    expect(text).not.toMatch(/^\s*\w+\s*=/m)
    const [, minutes, line = ''] = /^(\S+) \* \* \* \* +(.*)$/m.exec(text) ?? []
    expect(minutes).toBe('*/15')
    const said = line
      .replaceAll('\\%', '%')
      .replaceAll('/usr/bin/quotebook', 'echo')
      .replace('/etc/quotebook/key', '/dev/null')
    const loop = `date() { /bin/date -d "@$now" "$@"; }
      now=1772236800; while [ $now -lt 1772928000 ]; do
        [ -n "$(${said})" ] && TZ=CST-8 date '+%a %H:%M'; now=$((now + 900)); done`
    const { stdout, stderr } = spawnSync('sh', ['-c', loop], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', TZ: 'Asia/Kathmandu' },
    })
    const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
    expect([stdout.trim().split('\n'), stderr]).toEqual([week.flatMap((day) => [`${day} 15:45`, `${day} 22:15`]), ''])
  }
})

const manifestOf = (dir: string): unknown => JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'))

/** The words of what a unit runs, as systemd makes them. */
const wordsOf = (unit: string, source = ''): string[] => {
  const [, line = ''] = /^ExecStart=quotebook (.*)$/m.exec(fileOf(unit)) ?? []
  return line.replace('https://SERVICE', source).split(' ')
}

/** Runs a script of a page; what needs root, and changes the machine, is left out. */
function ranScript(name: string): void {
  const prelude = 'useradd() { :; }\nchown() { :; }\ninstall() { for dir; do :; done; mkdir -p "$dir"; }\n'
  const { status, stderr } = spawnSync('sh', ['-ec', prelude + fileOf(name)], { encoding: 'utf8', env: env() })
  expect([status, stderr]).toEqual([0, expect.any(String)])
}

test('what the units run starts, reloads and ends; the backup of an archive that is written can be restored', async () => {
  const vendor = await served('--port', '0', '--no-log')
  ranScript('setup.sh')
  const sync = await command(...wordsOf('quotebook-sync.service', vendor.url))
  expect([(await sync.ended)[0], sync.err()]).toEqual([0, expect.stringContaining('rows by')])
  const follow = wordsOf('quotebook-follow.service', vendor.url).map((word) => (word === '9100' ? '0' : word))
  const follower = await command(...follow)
  const one = await served(...wordsOf('quotebook-serve.service').slice(1), '--port', String(await freePort()))
  await until(() => one.err().includes('4 workers answer'))
  ranScript('backup.sh')
  await until(() => follower.err().includes('; next '))
  ranScript('backup.sh')
  const [kept, copied] = [join(root, 'lib/archive'), join(root, 'backups/archive')].map(manifestOf)
  expect(copied).toEqual(kept)
  for (const { child } of [one, follower]) child.kill('SIGHUP')
  await until(() => one.err().includes('4 new workers answer'))
  await until(() => follower.err().includes('this process goes on'))
  for (const { child, ended } of [one, follower]) {
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  }
  ranScript('restore.sh')
  expect(manifestOf(join(root, 'lib/archive'))).toEqual(kept)
})

test('a log that is rotated goes on in place', async () => {
  mkdirSync(join(root, 'log'))
  const log = join(root, 'log/access.log')
  const table = written('quotebook.logrotate')
  chmodSync(table, 0o600)
  const writer = spawn('sh', ['-c', `exec >>'${log}'; echo one; read -r go; echo two`], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  await until(() => existsSync(log) && readFileSync(log, 'utf8') === 'one\n')
  const { status, stderr } = runs('logrotate', 'logrotate', '-f', '-s', join(root, 'state'), table)
  expect([status, stderr]).toEqual([0, ''])
  writer.stdin.end('go\n')
  await once(writer, 'close')
  expect(readFileSync(log, 'utf8')).toBe('two\n')
})
