/*
 * What the service is held against, in a process of its own: `node service-rival.mjs KIND WORD`.
 *   fixed FILE    a bare Node server that takes the request in and sends one reply of the service: its headers and its body
 *   duckdb DIR    one that answers from the archive's Parquet files with DuckDB and JSON.stringify
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [kind, word] = process.argv.slice(2)
const json = ['content-type', 'application/json; charset=utf-8']

async function duckdb(dir) {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const db = await (await DuckDBInstance.create()).connect()
  await db.run('set threads = 1')
  const names = 'tradedate,symbol,trademin,time,open,high,low,close,vol,amount,vwap'
  const head = `{"code":200,"message":"success","data":{"fields":${JSON.stringify(names.split(','))},"items":`
  return async (request) => {
    const { symbols, tradedate, period } = JSON.parse(request).params
    const list = symbols.map((code) => `'${code.replaceAll("'", "''")}'`).join()
    const reader = await db.runAndReadAll(
      `select ${names} from read_parquet('${dir}/etf_minute/${tradedate}.*.parquet')
       where period = '${period}' and symbol in (${list}) order by symbol, trademin limit 6000`,
    )
    const body = Buffer.from(`${head}${JSON.stringify(reader.getRowsJS())}}}`)
    return { body, headers: [...json, 'content-length', body.length] }
  }
}

function fixed(file) {
  const { headers, body } = JSON.parse(readFileSync(file, 'utf8'))
  const reply = { headers, body: Buffer.from(body, 'base64') }
  return () => reply
}

const answer = kind === 'duckdb' ? await duckdb(word) : fixed(word)

const server = createServer((request, response) => {
  const chunks = []
  const send = ({ headers, body }) => response.writeHead(200, headers).end(body)
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const reply = answer(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    if (reply instanceof Promise) void reply.then(send)
    else send(reply)
  })
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
