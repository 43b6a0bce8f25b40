import { createHash } from 'node:crypto'
import { checkVwap, connect, fromRows, toCsv, toXlsx } from 'quotebook'
import { expect, test } from 'vitest'

const market = await connect()

test('equal tables give equal bytes, in every time zone', async () => {
  const table = checkVwap(await market.table.etfMinute({ symbols: '510300.SH', period: '15m' })).table
  const zone = process.env.TZ
  const sums: string[] = []
  for (const name of ['Asia/Shanghai', 'America/Los_Angeles']) {
    process.env.TZ = name
    sums.push(
      createHash('sha256')
        .update(await toXlsx(table))
        .digest('hex'),
    )
  }
  process.env.TZ = zone
  expect(new Set(sums).size).toBe(1)
})

test('what Excel can not hold is refused with its place', async () => {
  const long = fromRows([['a'], ['x'.repeat(32_768)]], { columns: ['text'] })
  await expect(toXlsx(long)).rejects.toThrow(/column 'text', row 2: the text has 32768 characters/)
  const infinite = fromRows([[1], [Number.POSITIVE_INFINITY]], { columns: ['n'], kinds: { n: 'number' } })
  await expect(toXlsx(infinite)).rejects.toThrow(/column 'n', row 2/)
  await expect(toXlsx(fromRows([[1]], { columns: ['n'] }), { sheet: 'a/b' })).rejects.toThrow(/is no name of a sheet/)
})

test('a CSV with a byte-order mark is the CSV behind the mark', async () => {
  const table = await market.table.st({ startdate: '20260729' })
  expect(toCsv(table, { bom: true })).toBe(`\ufeff${toCsv(table)}`)
})
