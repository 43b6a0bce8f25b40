/* Deep: queries that take memory and time to their limits. */
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentHere } from '../../helper/agent.js'
import { type Running, runService } from '../../helper/running-service.js'
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

describe('over HTTP', () => {
  let service: Running
  beforeAll(async () => {
    service = await runService()
  })
  afterAll(() => service.close())

  /** A status, and the message or how many rows came. */
  async function asked(sql: string, language = 'en'): Promise<[number, string | number]> {
    const answer = await fetch(`${service.url}/query/sql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-language': language,
        accept: 'application/vnd.apache.arrow.stream',
      },
      body: JSON.stringify({ sql }),
    })
    const text = await answer.text()
    if (answer.status === 200) return [200, Number(answer.headers.get('quotebook-rows'))]
    return [answer.status, JSON.parse(text).message]
  }

  const right =
    'the query needs more memory than the 256MiB it may take (and four times as much on the disk); name fewer columns, aggregate, or LIMIT the rows'
  const wide = (rows: number, more = '') =>
    `select ${Array.from({ length: 10 }, (_, at) => `x / ${at + 1} as c${at}`).join(', ')}, 'w' || (x % 1000) as word, md5((x % 100)::varchar) as long from range(${rows}) t(x)${more}`

  test.each([
    ['more rows than it may give', wide(2_000_000)],
    ['more texts than it may give', "select repeat('x', 900) || x as t from range(2000000) t(x)"],
    ['lists of text', "select ['a' || x, 'b', md5(x::varchar)] as l from range(3000000) t(x)"],
    ['what DuckDB holds', 'select list(x) as l from range(100000000) t(x)'],
    ['one cell', "select repeat('x', 2000000000) as t"],
  ])('%s: one error, with the bound and what to do', { timeout: 120_000 }, async (_, text) => {
    expect(await asked(text)).toEqual([422, right])
  })

  test('in Chinese too', async () => {
    expect(await asked(wide(3_000_000), 'zh')).toEqual([
      422,
      '该查询所需内存超过允许的 256MiB（磁盘上可用四倍于此）；请少选几列、先聚合，或用 LIMIT 限制行数',
    ])
  })

  test('near the bound a query has all its rows or that error, whichever way memory ends', {
    timeout: 300_000,
  }, async () => {
    for (const rows of [800_000, 1_000_000])
      for (const more of ['', ` limit ${rows}`]) {
        const [status, said] = await asked(wide(rows, more))
        expect([status, said]).toEqual(status === 200 ? [200, rows] : [422, right])
      }
    expect(await asked('select 1 as one')).toEqual([200, 1])
  })

  test('a row that fails late is an error that says why', async () => {
    const late = "select case when x = 900000 then error('boom') else 'w' || x end as y from range(1000000) t(x)"
    expect(await asked(late)).toEqual([422, 'Invalid Input Error: boom'])
    expect(await asked(`${late}; select 1`)).toEqual([422, 'Invalid Input Error: boom'])
    expect(await asked("select ('x' || x)::int from range(9) t(x)")).toEqual([
      422,
      expect.stringMatching(/^Conversion Error/),
    ])
  })
})
