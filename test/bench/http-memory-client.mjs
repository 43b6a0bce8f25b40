/*
 * One long query in a process of its own: how far its memory grew, how large the table is, and how long it and one of a fifth
 * of it took. Words: the build, the address of the service, symbols, days.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { codes } from './http-child.mjs'
import { peakBytes } from './peak.mjs'

const [dist, url, count, length] = process.argv.slice(2)
const load = (path) => import(pathToFileURL(resolve(dist, path)).href)
const { connect } = await load('connect.js')
const { daysBetween } = await load('contract/day-list.js')

function bytesOf(data) {
  const own = data.buffers.reduce((sum, buffer) => sum + (buffer?.byteLength ?? 0), 0)
  const words = data.dictionary?.data.reduce((sum, one) => sum + bytesOf(one), 0) ?? 0
  return data.children.reduce((sum, child) => sum + bytesOf(child), own + words)
}

const market = await connect({ nodes: [url], apikey: 'bench', pace: { concurrent: 4 } })
const [symbols, days] = [codes(Number(count)), daysBetween('20200101', '20251231').slice(0, Number(length))]
const params = { symbols, period: '15m' }

// What the code itself takes, compiled and warm, is not the query's.
for (let n = 0; n < 3; n++) await market.query('etf_minute', params, { days: days.slice(0, 2) })
const before = process.memoryUsage.rss()
const started = performance.now()
const table = await market.query('etf_minute', params, { days })
const time = performance.now() - started
const peak = peakBytes()
const again = performance.now()
await market.query('etf_minute', params, { days: days.slice(0, days.length / 5) })
const fifth = performance.now() - again
await market.close()
const bytes = table.batches.reduce((sum, batch) => sum + bytesOf(batch.data), 0)
process.send({ rows: table.numRows, bytes, before, peak, time, fifth }, () => process.disconnect())
