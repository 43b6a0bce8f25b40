// Deep: starts a ClickHouse server.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import { quotebook } from '../../helper/cli.js'
import { startClickHouse } from '../../helper/clickhouse-server.js'
import { hasEngine } from '../../helper/engine-copy.js'
import { tempDir } from '../../helper/temp.js'

describe.skipIf(!hasEngine)('quotebook copy, and clickhouse:// in the place of a directory', () => {
  const secret = 'geheim-4711'
  let servers: Awaited<ReturnType<typeof startClickHouse>>
  let address: string
  beforeAll(async () => {
    servers = await startClickHouse({ users: [{ name: 'keeper', password: secret }] })
    address = `clickhouse://keeper:${secret}@${new URL(servers.nodes[0]?.url as string).host}/cli`
  })
  afterAll(async () => servers?.stop())

  test('an archive goes there and back, and no password is printed', () => {
    const back = join(tempDir(), 'back')
    const there = quotebook(['copy', '--source', sampleDir, '--archive', address])
    expect(there.code, there.err).toBe(0)
    const again = quotebook(['copy', '--source', address, '--archive', back])
    expect(again.code, again.err).toBe(0)
    const asked = ['query', 'st', 'startdate=20260729', '--format', 'json']
    const [one, other] = [sampleDir, address].map((source) => quotebook([...asked, '--source', source]))
    expect(other?.out).toBe(one?.out)
    const status = quotebook(['status', '--source', address])
    const repaired = quotebook(['archive', 'repair', '--archive', address])
    const refused = quotebook(['query', 'st', '--source', address.replace(secret, 'wrong-0815')])
    expect([status.code, repaired.code, refused.code]).toEqual([0, 0, 1])
    const said = [there, again, other, status, repaired, refused].map((run) => `${run?.out}${run?.err}`).join('')
    expect(said).not.toContain(secret)
    expect(said).not.toContain('wrong-0815')
  })

  test('a database without an archive is told as such, and what to do, in Chinese too', () => {
    const none = address.replace(/cli$/, 'none')
    for (const args of [
      ['status', '--source', none],
      ['query', 'st', '--source', none],
      ['copy', '--source', none, '--archive', join(tempDir(), 'x')],
      ['archive', 'repair', '--archive', none],
    ]) {
      expect(quotebook(args).err, args[0]).toMatch(
        /\/none holds no archive; quotebook copy, sync or import puts one there\n$/,
      )
      expect(quotebook(['--lang', 'zh', ...args]).err, args[0]).toMatch(/\/none 中没有归档；可用 quotebook copy/)
    }
    const [way] = address.split('@')
    for (const wrong of [
      `${way}%zz@host/a`,
      `${address}?password=${secret}`,
      'clickhouse://host/a-b',
      'clickhouse://h:x/a',
    ]) {
      const { code, err } = quotebook(['--lang', 'zh', 'status', '--source', wrong])
      expect([wrong, code, err]).toEqual([
        wrong,
        2,
        expect.stringMatching(/地址应形如 clickhouse:\/\/user@host:8123\/database/),
      ])
      expect(err).not.toContain(secret)
    }
    const verify = quotebook(['--lang', 'zh', 'ticks', 'verify', '--source', address])
    expect([verify.code, verify.err]).toEqual([
      2,
      expect.stringMatching(/请用 'quotebook archive repair --archive clickhouse:\/\/127/),
    ])
    expect(verify.err).not.toContain(secret)
    const away = quotebook(['--lang', 'zh', 'status', '--source', 'clickhouse://127.0.0.1:1/a'])
    expect([away.code, away.err]).toEqual([1, expect.stringContaining('127.0.0.1:1：无法连接：')])
  })

  test('what is no archive, and no address, is told', () => {
    expect(quotebook(['copy', '--source', tempDir(), '--archive', join(tempDir(), 'x')])).toMatchObject({ code: 2 })
    expect(quotebook(['copy', '--source', sampleDir, '--archive', 'clickhouse://host/a-b'])).toMatchObject({ code: 2 })
    expect(quotebook(['query', 'st', '--source', 'clickhouse://127.0.0.1:1/none'])).toMatchObject({ code: 1 })
  })
})
