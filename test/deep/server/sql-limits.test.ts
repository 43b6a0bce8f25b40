/* Deep: queries that take memory and time to their limits. */
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { agentHere } from '../../helper/agent.js'
import { watchPeaks } from '../../helper/sql-processes.js'
import { useOwnTemp } from '../../helper/temp.js'

useOwnTemp()

const limit = 2 ** 28
const one = { text: 'select 1 as one' }
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('quotebook-sql-'))

test('four at once stay within four times the limit, and others are answered afterwards', async () => {
  const agents = await Promise.all(Array.from({ length: 4 }, () => agentHere()))
  const hungry = [
    "select sum(jaccard(repeat('abc', 90000000), repeat('abd', 90000000)) + x) as j from range(2000) t(x)",
    'select len(list(x)) as n from range(100000000) t(x)',
    "select length(lpad('x', 1000000000, 'ab')) as n",
    'select x, hash(x) as h from range(60000000) t(x) order by h',
  ]
  const peaks = watchPeaks()
  const said = await Promise.all(hungry.map((text, at) => agents[at]?.call('sql', { text })))
  for (const reply of said) expect(reply?.text).toMatch(/^SQL: the query needs more memory/)
  const all = peaks()
  expect(all.length).toBeGreaterThanOrEqual(4)
  for (const bytes of all) expect(bytes).toBeLessThanOrEqual(limit)
  for (const agent of agents) {
    expect((await agent.call('sql', one)).object.rows).toEqual([[1]])
    await agent.close()
  }
  expect(folders()).toEqual([])
})
