import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { interleave } from './interleave.mjs'
import { wireBody } from './wire-body.mjs'

export const question = 'wire bytes → Arrow table, parsing included, against JSON.parse of the same bytes'
const goals = { scanned: 1.3, decoded: 1.5 }

export async function measure({ dist, datasetOf, decode, toTable }) {
  const { scanReply } = await import(pathToFileURL(resolve(dist, 'table/scan-reply.js')).href)
  const dataset = datasetOf('etf_minute')
  const results = []
  for (const [rows, rounds] of [
    [6_000, 41],
    [200_000, 15],
  ]) {
    const body = wireBody(rows)
    const bytes = Buffer.from(body)
    const { fields } = JSON.parse(body).data
    const { parse, scanned, decoded } = await interleave(
      {
        parse: () => JSON.parse(bytes.toString()),
        scanned: () => toTable(scanReply(dataset, bytes, fields).columns, dataset.columns),
        decoded: () => {
          const { fields, items } = JSON.parse(bytes.toString()).data
          return toTable(decode(dataset, fields, items), dataset.columns)
        },
      },
      { rounds },
    )
    results.push({ what: `${rows} × 11, scanned`, time: scanned, against: parse, goal: goals.scanned })
    results.push({ what: `${rows} × 11, decoded`, time: decoded, against: parse, goal: goals.decoded })
  }
  return results
}
