/*
 * The service that the HTTP client is measured against, in a process of its own: bars of `etf_minute` for the codes and
 * the day asked. A body is made once for each list of codes; a request writes its day into it.
 */
import { createServer } from 'node:http'
import { random } from './interleave.mjs'

const buckets = {
  '15m': '0930 0945 1000 1015 1030 1045 1100 1115 1130 1315 1330 1345 1400 1415 1430 1445 1500'.split(' '),
  '30m': '0930 1000 1030 1100 1130 1330 1400 1430 1500'.split(' '),
}

const blank = '00000000'

/** A bar is the same in every answer. */
function bar(symbol, minute) {
  const next = random(Number(`${symbol.slice(0, 6)}${minute}`) % 0x7fffffff)
  next()
  const price = Math.round((1 + next() * 9) * 1000) / 1000
  const traded = next() > 0.02
  const of = (factor) => (traded ? Math.round(price * factor * 1000) / 1000 : null)
  return {
    tradedate: blank,
    symbol,
    trademin: minute,
    time: `${minute.slice(0, 2)}:${minute.slice(2)}:0${Math.floor(next() * 4)}`,
    open: of(1),
    high: of(1.01),
    low: of(0.99),
    close: price,
    vol: Math.floor(next() * 1e6),
    amount: traded ? Math.round(next() * 1e10) / 100 : null,
    vwap: of(1),
  }
}

const bodies = new Map()

function bodyOf(fields, symbols, period) {
  const name = [fields, symbols, period].join()
  const known = bodies.get(name)
  if (known) return known
  const items = symbols.flatMap((symbol) =>
    buckets[period].map((minute) => {
      const cells = bar(symbol, minute)
      return fields.map((field) => cells[field])
    }),
  )
  const bytes = Buffer.from(JSON.stringify({ code: 200, message: 'success', data: { fields, items } }))
  const places = []
  for (let at = bytes.indexOf(blank); at >= 0; at = bytes.indexOf(blank, at + 8)) places.push(at)
  const made = { bytes, places }
  bodies.set(name, made)
  return made
}

function answerTo({ fields, params }) {
  const { bytes, places } = bodyOf(fields.split(','), params.symbols, params.period)
  const answer = Buffer.from(bytes)
  for (const place of places) answer.write(params.tradedate, place, 'latin1')
  return answer
}

const server = createServer((request, response) => {
  const pieces = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () => {
    const answer = answerTo(JSON.parse(Buffer.concat(pieces).toString()))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
  })
})
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`))
process.on('disconnect', () => process.exit())
