import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { interleave } from './interleave.mjs'

export const question = 'one symbol and one day out of an archive, warm, against DuckDB over the same Parquet file'
const goal = 0.25

const times = 50
const again = async (run) => {
  let kept
  for (let i = 0; i < times; i++) kept = await run()
  return kept
}

export async function measure({ connect, sampleDir }) {
  const market = await connect()
  const db = await (await DuckDBInstance.create()).connect()
  const folder = join(sampleDir, 'etf_minute')
  const file = join(
    folder,
    readdirSync(folder).find((name) => name.startsWith('20260701')),
  )
  const sql = `select * from read_parquet('${file}') where symbol = '510300.SH' and period = '15m' order by trademin`
  const params = { symbols: ['510300.SH'], tradedate: '20260701', period: '15m' }
  const found = [await market.query('etf_minute', params), await db.runAndReadAll(sql)]
  if (found[0].numRows !== 17 || found[1].currentRowCount !== 17) throw new Error('the answers differ')
  const { archive, duckdb } = await interleave(
    {
      archive: () => again(() => market.query('etf_minute', params)),
      duckdb: () => again(() => db.runAndReadAll(sql)),
    },
    { rounds: 11 },
  )
  return [{ what: '17 of 442 rows', time: archive / times, against: duckdb / times, goal }]
}
