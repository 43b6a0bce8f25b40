import { interleave } from './interleave.mjs'
import { wireBody } from './wire-body.mjs'

export const question = 'Table ⇄ rows, frame, CSV, JSON; against JSON.stringify or JSON.parse of the same row objects'

export async function measure(parts) {
  const {
    datasetOf,
    decode,
    toTable,
    toDataFrame,
    asTable,
    rowsOf,
    toObjects,
    fromRows,
    toCsv,
    fromCsv,
    toJson,
    fromJson,
  } = parts
  const dataset = datasetOf('etf_minute')
  const results = []
  for (const [rows, rounds] of [
    [6_000, 15],
    [100_000, 7],
  ]) {
    const { fields, items } = JSON.parse(wireBody(rows)).data
    const table = toTable(decode(dataset, fields, items), dataset.columns)
    const frame = toDataFrame(table)
    const objects = toObjects(table)
    const [json, csv] = [toJson(table), toCsv(table)]
    const time = await interleave(
      {
        stringify: () => JSON.stringify(objects),
        parse: () => JSON.parse(json),
        toCsv: () => toCsv(table),
        toJson: () => toJson(table),
        asTable: () => asTable(frame),
        rowsOf: () => rowsOf(table),
        toObjects: () => toObjects(table),
        fromRows: () => fromRows(objects),
        fromCsv: () => fromCsv(csv),
        fromJson: () => fromJson(json),
      },
      { rounds },
    )
    const add = (name, against, goal) =>
      results.push({ what: `${name} ${rows} × ${fields.length}`, time: time[name], against: time[against], goal })
    for (const name of ['toCsv', 'toJson']) add(name, 'stringify', 2)
    for (const name of ['asTable', 'rowsOf', 'toObjects', 'fromRows']) add(name, 'stringify', 1)
    add('fromCsv', 'parse', 2.3)
    add('fromJson', 'parse', rows > 10_000 ? 1.1 : 2.3)
  }
  return results
}
