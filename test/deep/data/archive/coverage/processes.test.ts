// Deep: processes share a cache, and are killed.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { datasetOf } from '../../../../../src/contract/catalogue.js'
import { cacheContents } from '../../../../../src/data/archive/coverage/cache-contents.js'
import { digest } from '../../../../../src/frame/table/digest.js'
import { type Stand, stand } from '../../../../data/archive/coverage/growing.js'
import { bundled } from '../../../../helper/bundle.js'

const etf = datasetOf('etf_minute')
const whole = { whole: true }

/** Asks bars of one day after another, and tells of each digest. */
const script = `
import { CachedSource } from './src/data/archive/coverage/cached-source.js'
import { HttpSource } from './src/data/source/http-source.js'
import { datasetOf } from './src/contract/catalogue.js'
import { daysBetween } from './src/contract/day-list.js'
import { digest } from './src/frame/table/digest.js'
const [url, dir, symbols, count] = process.argv.slice(2)
const kept = new CachedSource(new HttpSource({ nodes: [url], apikey: 'KEY' }), dir)
process.once('message', async () => {
  for (const day of daysBetween('20260601', '20260710').slice(0, Number(count))) {
    const table = await kept.query(datasetOf('etf_minute'), { symbols: symbols.split(','), tradedate: day }, { whole: true })
    process.send({ day, digest: digest(table) })
  }
  process.exit(0)
})
process.send('ready')
`

let child = ''

beforeAll(async () => {
  child = await bundled(script)
})

interface Said {
  readonly day: string
  readonly digest: string
}

function start({ service, dir }: Stand, symbols: string, count: number): ChildProcess {
  return fork(child, [service.url, dir, symbols, String(count)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

async function ready(process: ChildProcess): Promise<void> {
  await once(process, 'message')
}

async function truthOf({ plain }: Stand, symbols: string, day: string): Promise<string> {
  return digest(await plain.query(etf, { symbols: symbols.split(','), tradedate: day }, whole))
}

test('two processes fill one cache at once: answers of both are right, and nothing that was kept is lost', async () => {
  const own = await stand('20260715')
  const lists = ['510300.SH,159915.SZ', '159915.SZ,510500.SH']
  const all = lists.map((symbols) => start(own, symbols, 8))
  await Promise.all(all.map(ready))
  const said: [string, Said][] = []
  const ended = all.map((one, i) => {
    one.on('message', (message) => said.push([lists[i] as string, message as Said]))
    const exit = once(one, 'exit')
    one.send('go')
    return exit
  })
  expect((await Promise.all(ended)).map(([code]) => code)).toEqual([0, 0])
  expect(said).toHaveLength(16)
  for (const [symbols, { day, digest: found }] of said) expect(found).toBe(await truthOf(own, symbols, day))
  const days = said.map(([, { day }]) => day)
  for (const symbols of lists) {
    for (const day of days) {
      const ask = async () => {
        const table = await own.kept.query(etf, { symbols: symbols.split(','), tradedate: day }, whole)
        expect(digest(table)).toBe(await truthOf(own, symbols, day))
      }
      const sent = await own.sentBy(ask)
      expect(sent).toHaveLength(1)
    }
  }
})

/** Whether a writer has the directory, and has put a file that no manifest names yet. */
const moments: [string, (dir: string) => boolean][] = [
  ['it has the lock', (dir) => existsSync(join(dir, '.lock'))],
  [
    'its file is there and its manifest is not',
    (dir) => {
      if (!existsSync(join(dir, 'etf_minute'))) return false
      const files = readdirSync(join(dir, 'etf_minute')).filter((name) => name.endsWith('.parquet'))
      const manifest = existsSync(join(dir, 'manifest.json')) ? readFileSync(join(dir, 'manifest.json'), 'utf8') : ''
      return files.some((name) => !manifest.includes(name))
    },
  ],
]

test.each(moments)('a process that is killed when %s leaves a cache that is right', async (_, isNow) => {
  const own = await stand('20260715')
  const symbols = '510300.SH,159915.SZ'
  const one = start(own, symbols, 25)
  await ready(one)
  const first = once(one, 'message')
  one.send('go')
  await first
  while (!isNow(own.dir)) await new Promise((resolve) => setImmediate(resolve))
  const exit = once(one, 'exit')
  one.kill('SIGKILL')
  expect((await exit)[1]).toBe('SIGKILL')
  const options = { whole: true, days: { from: '20260601', to: '20260710' } }
  const params = { symbols: symbols.split(',') }
  const truth = digest(await own.plain.query(etf, params, options))
  expect(digest(await own.another().query(etf, params, options))).toBe(truth)
  expect(await own.sentBy(() => own.another().query(etf, params, options))).toEqual([])
  const [kept] = await cacheContents(own.dir)
  expect(kept).toMatchObject({ days: 29, rows: 29 * 2 * 9 })
  expect(readdirSync(join(own.dir, 'etf_minute'))).toHaveLength(29)
})
