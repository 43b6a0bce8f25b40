import { Agent, request } from 'undici'
import { inTurn, interleaveCpu } from './cpu-turns.mjs'
import { child, codes } from './http-child.mjs'

export const question = `the whole HTTP client, against a bare undici loop that parses the same replies to rows: CPU time, at most four
  requests at once, the service in another process`
const atOnce = 4

/** Bars of a symbol and day. */
const bars = 17

const cases = [
  { symbols: 6, replies: 1000, queries: 1000, goal: 3.2 },
  { symbols: 30, replies: 1000, queries: 1, goal: 1.5 },
  { symbols: 347, replies: 100, queries: 1, goal: 1.4 },
]

const fields = 'tradedate,symbol,trademin,time,open,high,low,close,vol,amount,vwap'

/** What one would write by hand: every reply parsed, its rows in one list. */
function bareLoop(url, agent, symbols, days) {
  return async () => {
    const rows = []
    await inTurn(atOnce, days, async (tradedate) => {
      const body = JSON.stringify({
        apikey: 'bench',
        apiname: 'etf_minute',
        fields,
        params: { symbols, period: '15m', tradedate },
      })
      const headers = { 'content-type': 'application/json' }
      const answer = await request(`${url}/api`, { method: 'POST', headers, body, dispatcher: agent })
      const { code, data } = await answer.body.json()
      if (answer.statusCode !== 200 || code !== 200) throw new Error('the service refused')
      for (const row of data.items) rows.push(row)
    })
    return rows.length
  }
}

function oneQuery(market, symbols, days) {
  return async () => (await market.query('etf_minute', { symbols, period: '15m' }, { days })).numRows
}

function manyQueries(market, symbols, days) {
  return async () => {
    let rows = 0
    await inTurn(atOnce, days, async (tradedate) => {
      const { numRows } = await market.query('etf_minute', { symbols, period: '15m', tradedate })
      rows += numRows
    })
    return rows
  }
}

async function compare(url, agent, market, daysBetween, { symbols: count, replies, queries }) {
  const [symbols, days] = [codes(count), daysBetween('20200101', '20251231').slice(0, replies)]
  const own = queries === 1 ? oneQuery(market, symbols, days) : manyQueries(market, symbols, days)
  const bare = bareLoop(url, agent, symbols, days)
  const rows = replies * count * bars
  const found = [await own(), await bare()]
  if (found.some((one) => one !== rows)) throw new Error(`${found} rows, not ${rows}`)
  return interleaveCpu({ own, bare })
}

export async function measure({ connect, load }) {
  const { daysBetween } = await load('contract/day-list.js')
  const server = await child('http-server.mjs')
  const url = server.said
  const agent = new Agent({ connections: atOnce })
  const market = await connect({ nodes: [url], apikey: 'bench', pace: { concurrent: atOnce } })
  const results = []
  try {
    for (const one of cases) {
      const { own, bare } = await compare(url, agent, market, daysBetween, one)
      const what = `${one.replies} × ${one.symbols * bars} rows, ${one.queries === 1 ? '1 query' : 'a query each'}`
      results.push({ what, time: own, against: bare, goal: one.goal })
    }
  } finally {
    await Promise.all([market.close(), agent.destroy()])
    server.close()
  }
  return results
}
