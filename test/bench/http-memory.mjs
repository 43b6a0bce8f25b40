import { child } from './http-child.mjs'

export const question = `a query of five million rows over HTTP: by how much the process grows at its peak, against the bytes of
  the table that it gets; its time, against five times that of a fifth of it`
const [symbols, days, bars] = [1000, 295, 17]
const mebibyte = 2 ** 20

export async function measure({ dist }) {
  const server = await child('http-server.mjs')
  try {
    const client = await child('http-memory-client.mjs', [dist, server.said, String(symbols), String(days)])
    const { rows, bytes, before, peak, time, fifth } = client.said
    client.close()
    if (rows !== symbols * days * bars) throw new Error(`${rows} rows came`)
    const what = `${(rows / 1e6).toFixed(2)} million rows`
    return [
      { what, time: (peak - before) / mebibyte, against: bytes / mebibyte, goal: 2.7, unit: 'MiB' },
      { what: `${what}, a row`, time, against: 5 * fifth, goal: 1.3 },
    ]
  } finally {
    server.close()
  }
}
