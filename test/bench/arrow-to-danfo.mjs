import { interleave } from './interleave.mjs'
import { wireBody } from './wire-body.mjs'

export const question = 'Arrow table → danfo DataFrame, against JSON.parse of the body that the table came from'
const goal = 0.5

export async function measure({ datasetOf, decode, toTable, toDataFrame }) {
  const dataset = datasetOf('etf_minute')
  const results = []
  for (const [rows, rounds] of [
    [6_000, 41],
    [200_000, 15],
  ]) {
    const body = wireBody(rows)
    const { fields, items } = JSON.parse(body).data
    const table = toTable(decode(dataset, fields, items), dataset.columns)
    const { parse, frame } = await interleave(
      { parse: () => JSON.parse(body), frame: () => toDataFrame(table) },
      { rounds },
    )
    results.push({ what: `${rows} × 11`, time: frame, against: parse, goal })
  }
  return results
}
