import { join } from 'node:path'
import { expect, test } from 'vitest'
import { open } from '../../../../src/data/sql/duckdb.js'
import { searchSymbols } from '../../../../src/data/ticks/read/tick-reader.js'
import { tempDir } from '../../../helper/temp.js'

test('a small file whose texts unpack to more than may be is not searched: it is left to who keeps each text once', async () => {
  const path = join(tempDir(), '20260730_aucde.parquet')
  const { connection } = await open()
  const columns = "'20260730' as tradedate, '600519.SH' as symbol, '09:15:00' as time, repeat('x', 8192) as extra"
  await connection.run(`copy (select ${columns} from range(80000)) to '${path}' (format parquet, compression zstd)`)
  expect(await searchSymbols({ path, stamp: 'one' }, { symbols: ['600519'] })).toBeUndefined()
  const few = await searchSymbols({ path, stamp: 'one' }, { symbols: ['600519'], columns: ['time'] })
  expect(few?.columns.length).toBe(80_000)
})
