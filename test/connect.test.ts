import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { type ConnectOptions, connect } from '../src/connect.js'
import { tempDir } from './helper/temp.js'

const node = 'https://quotes.example.com'
const key = 'qk-77aa-not-to-be-seen'

const wrong: [string, object, RegExp][] = [
  [
    'an option of a service without nodes',
    { apikey: key },
    /^connect without nodes has no option 'apikey'; it takes archive/,
  ],
  [
    'an archive beside nodes',
    { nodes: [node], apikey: key, archive: 'x' },
    /^connect to nodes has no option 'archive'/,
  ],
  ['no key', { nodes: [node] }, /^nodes need an apikey/],
  ['a blank key', { nodes: [node], apikey: ' ' }, /^nodes need an apikey/],
  ['no nodes', { nodes: [], apikey: key }, /^nodes is empty/],
  ['an address that is none', { nodes: ['quotes.example.com'], apikey: key }, /can not be read/],
  [
    'a password in an address',
    { nodes: [`https://me:${key}@quotes.example.com`], apikey: 'k' },
    /holds a user or password/,
  ],
  ['an unknown name of a node', { nodes: { szz: node }, apikey: key }, /Did you mean 'sz'/],
  ['a size that is none', { nodes: [node], apikey: key, cacheBytes: 0 }, /^cacheBytes must be/],
  ['a deadline that is none', { nodes: [node], apikey: key, deadlines: { call: 0 } }, /call/],
]

test.each(wrong)('%s is refused before anything is sent', async (_, options, message) => {
  const error = await connect(options as ConnectOptions).then(
    () => undefined,
    (cause: unknown) => cause as Error,
  )
  expect(error?.message).toMatch(message)
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(key)
})

test('a market of a service has no archive: SQL says so', async () => {
  const market = await connect({ nodes: [node], apikey: key, cache: `${tempDir()}/kept` })
  expect(market.archive).toBeUndefined()
  await expect(market.sql('select 1')).rejects.toMatchObject({ code: 'USAGE', message: /need an archive/ })
  expect(inspect(market, { depth: Infinity, showHidden: true })).not.toContain(key)
  await market.close()
})
