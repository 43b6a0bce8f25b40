import { interleave } from './interleave.mjs'
import { wireBody } from './wire-body.mjs'

export const question = 'wire rows → Arrow table, parsing included, against JSON.parse of the same body'
const goal = 1.5

export async function measure({ datasetOf, decode, toTable }) {
  const dataset = datasetOf('etf_minute')
  const results = []
  for (const [rows, rounds] of [
    [6_000, 41],
    [200_000, 15],
  ]) {
    const body = wireBody(rows)
    const { parse, table } = await interleave(
      {
        parse: () => JSON.parse(body),
        table: () => {
          const { fields, items } = JSON.parse(body).data
          return toTable(decode(dataset, fields, items), dataset.columns)
        },
      },
      { rounds },
    )
    results.push({ what: `${rows} × 11`, time: table, against: parse, goal })
  }
  return results
}
