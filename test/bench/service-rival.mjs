/*
 * What the service is held against, in a process of its own: `node service-rival.mjs KIND DIR ROWS`.
 *   fixed    a bare Node server that parses and validates the request and answers fixed bytes: 50, or those of --bytes
 *   duckdb   the same, answering from the archive's Parquet files with DuckDB and JSON.stringify
 */
import { createServer } from 'node:http'

const [kind, size, dir] = process.argv.slice(2)
const json = { 'content-type': 'application/json; charset=utf-8' }

function validate(body) {
  const { apikey, apiname, params } = JSON.parse(body)
  const { symbols, tradedate, period } = params
  if (typeof apikey !== 'string') throw new TypeError()
  if (apiname === 'convertible_daily' && /^\d{8}$/.test(params.startdate)) return params
  if (apiname !== 'etf_minute') throw new TypeError()
  if (!Array.isArray(symbols) || !symbols.every((code) => typeof code === 'string')) throw new TypeError()
  if (!/^\d{8}$/.test(tradedate) || !(period === '15m' || period === '30m')) throw new TypeError()
  return { symbols, tradedate, period }
}

async function duckdb() {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const db = await (await DuckDBInstance.create()).connect()
  await db.run('set threads = 1')
  const names = 'tradedate,symbol,trademin,time,open,high,low,close,vol,amount,vwap'
  const head = `{"code":200,"message":"success","data":{"fields":${JSON.stringify(names.split(','))},"items":`
  return async ({ symbols, tradedate, period }) => {
    const list = symbols.map((code) => `'${code.replaceAll("'", "''")}'`).join()
    const reader = await db.runAndReadAll(
      `select ${names} from read_parquet('${dir}/etf_minute/${tradedate}.*.parquet')
       where period = '${period}' and symbol in (${list}) order by symbol, trademin limit 6000`,
    )
    return Buffer.from(`${head}${JSON.stringify(reader.getRowsJS())}}}`)
  }
}

const buffer = Buffer.alloc(Number(size), 0x20)
const answer = kind === 'duckdb' ? await duckdb() : () => buffer

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', async () => {
    const body = await answer(validate(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    response.writeHead(200, { ...json, 'content-length': body.length })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
