import { interleave } from './interleave.mjs'
import { wireBody } from './wire-body.mjs'

export const question = 'wire bytes → Arrow table, parsing included, against JSON.parse of the same bytes'
const goal = 1.5

export async function measure({ datasetOf, decode, toTable }) {
  const dataset = datasetOf('etf_minute')
  const results = []
  for (const [rows, rounds] of [
    [6_000, 41],
    [200_000, 15],
  ]) {
    const body = wireBody(rows)
    const bytes = Buffer.from(body)
    const { parse, decoded } = await interleave(
      {
        parse: () => JSON.parse(bytes.toString()),
        decoded: () => {
          const { fields, items } = JSON.parse(bytes.toString()).data
          return toTable(decode(dataset, fields, items), dataset.columns)
        },
      },
      { rounds },
    )
    results.push({ what: `${rows} × 11, decoded`, time: decoded, against: parse, goal })
  }
  return results
}
