import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { bucketCloses } from '../../../../src/contract/session.js'
import { CachedSource } from '../../../../src/data/archive/coverage/cached-source.js'
import type { Source } from '../../../../src/data/source/source.js'
import { toTable } from '../../../../src/frame/table/arrow.js'
import { decode } from '../../../../src/frame/table/decode.js'
import { provenanceMetadata } from '../../../../src/frame/table/provenance.js'
import { tempDir } from '../../../helper/temp.js'

const etf = datasetOf('etf_minute')
const [past, latest] = ['20260728', '20260729']

function bars(day: string, minutes: readonly string[]): Table {
  const names = Object.keys(etf.columns)
  const rows = minutes.map((minute) => [day, '510300.SH', minute, `${minute.slice(0, 2)}:${minute.slice(2)}:00`])
  const cells = rows.map((row) => [...row, ...names.slice(4).map(() => 1)])
  const about = {
    dataset: etf.name,
    source: 'x',
    request: { params: {}, fields: names },
    rows: rows.length,
    complete: true,
  }
  return toTable(decode(etf, names, cells), etf.columns, provenanceMetadata(about))
}

test('a past day of which only the first batch is there is not kept; the whole of it is', async () => {
  let minutes = bucketCloses['15m'].filter((minute) => minute <= '1130')
  let asked = 0
  const service: Source = {
    name: 'https://quotes.example.com',
    async query(_, params) {
      const { tradedate } = (params ?? {}) as { tradedate?: string }
      if (tradedate === undefined) return bars(latest, ['1500'])
      asked++
      return bars(tradedate, minutes)
    },
  }
  const kept = new CachedSource(service, `${tempDir()}/kept`)
  const query = async (): Promise<number> =>
    (await kept.query(etf, { symbols: ['510300.SH'], tradedate: past, period: '15m' }, { whole: true })).numRows
  expect([await query(), asked]).toEqual([9, 1])
  minutes = [...bucketCloses['15m']]
  expect([await query(), asked]).toEqual([17, 2])
  expect([await query(), asked]).toEqual([17, 2])
  await kept.close()
})
