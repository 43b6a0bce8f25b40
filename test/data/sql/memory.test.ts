import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { connect } from '../../../src/connect.js'
import { sql } from '../../../src/data/sql/sql.js'
import { numbers, toObjects } from '../../../src/frame/read-columns.js'
import { useOwnTemp } from '../../helper/temp.js'

useOwnTemp()
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('quotebook-sql-'))

async function failure(text: string, memory: string | number): Promise<{ code: string; message: string }> {
  return sql(text, { memory }).then(
    () => ({ code: '', message: 'no error' }),
    ({ code, message }) => ({ code, message }),
  )
}

test.each([
  ['lists that must lie in memory', 'select sum(length(l)) as n from (select list(x) as l from range(12000000) t(x))'],
  ['more rows than it may give', 'select x, x + 1 as y from range(10000000) t(x)'],
  ['long texts', "select repeat('abc', 100000) as text from range(1000)"],
  [
    'more on the disk than it may take',
    'create table t as select x, random() as r from range(30000000) t(x); select 1',
  ],
])('%s end in one error that names the option', async (_, text) => {
  const before = folders()
  const { code, message } = await failure(text, '40MB')
  expect(code).toBe('SQL')
  expect(message).toContain('needs more memory than the 40MB it may take')
  expect(message).toContain("{ memory: '80MB' }")
  expect(message).not.toContain('\n')
  expect(folders()).toEqual(before)
})

test('a missing text weighs nothing, whatever its place in the memory holds', async () => {
  const texts = "(select repeat('x', 900 + (i % 100)::int) as x from range(300000) t(i))"
  const found = await sql(`select nullif(x, x) as x from ${texts}`, { memory: '100MB' })
  expect(found.numRows).toBe(300_000)
})

test('a quarter of the machine when nothing is said, and no more than 4 GiB', async () => {
  const settings =
    "select current_setting('memory_limit') as memory, current_setting('max_temp_directory_size') as disk"
  const market = await connect()
  const [own] = toObjects(await market.sql(settings, { memory: '512MiB' }))
  expect(own).toEqual({ memory: '512.0 MiB', disk: '2.0 GiB' })
  const [none] = toObjects(await market.sql(settings))
  const gib = Number(/^([\d.]+) GiB$/.exec(String(none?.['memory']))?.[1])
  expect(gib).toBeGreaterThan(0)
  expect(gib).toBeLessThanOrEqual(4)
  expect(numbers(await market.sql('select 1 as one', { memory: 2 ** 30 }), 'one')[0]).toBe(1)
})
