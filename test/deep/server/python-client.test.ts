import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, type DatasetName, datasets, type Market, toObjects } from 'quotebook'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import { pythonText } from '../../../src/server/service/page/client/snippet.js'
import { blocks, documents, isChinese } from '../../helper/documents.js'
import { hasPythonPackage, python } from '../../helper/python-package.js'
import { type Running, runService } from '../../helper/running-service.js'

/** `clients/python/quotebook.py` with Debian's pandas, against the library: rows, order, nulls, types; errors as users see them. */
const there = hasPythonPackage('pandas')
const withRows = (datasets as readonly Dataset[]).filter(({ name }) => name !== 'file_download')

let service: Running
let market: Market
beforeAll(async () => {
  ;[service, market] = await Promise.all([runService(), connect({ archive: 'data/sample' })])
})
afterAll(() => service?.close())

/** What a program prints; its errors fail. The service answers in this process meanwhile. */
async function ran(program: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const own = { ...process.env, PYTHONPATH: 'clients/python', QUOTEBOOK_URL: service.url, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(python, ['-c', program], { env: { ...own, ...env } })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(err)
  return out
}

const paramsOf = ({ example }: Dataset): Record<string, unknown> => {
  const { limit: _, offset: _other, ...params } = example as Record<string, unknown>
  return params
}

test.skipIf(!there)('every dataset has the rows, order, nulls and types of the library', async () => {
  const asked = Object.fromEntries(withRows.map((dataset) => [dataset.name, paramsOf(dataset)]))
  const out = await ran(`
import json
import pandas as pd
import quotebook as qb
out = {}
for name, params in json.loads(r'''${JSON.stringify(asked)}''').items():
    frame = getattr(qb, name)(**params)
    rows = [[None if not isinstance(cell, (list, dict)) and pd.isna(cell) else cell for cell in row]
            for row in frame.astype(object).itertuples(index=False, name=None)]
    out[name] = {"columns": list(frame.columns), "dtypes": [str(one) for one in frame.dtypes], "rows": rows, "about": frame.attrs["quotebook"]}
print(json.dumps(out, default=lambda one: one.item()))
`)
  const frames = JSON.parse(out)
  const dtypes = { number: 'float64', integer: 'Int64', long: 'Int64', boolean: 'boolean' } as Record<string, string>
  for (const dataset of withRows) {
    const { columns, rows, dtypes: got, about } = frames[dataset.name]
    const table = await market.query(dataset.name as DatasetName, paramsOf(dataset) as never)
    const own = toObjects(table) as unknown as Record<string, unknown>[]
    expect(columns, dataset.name).toEqual(table.schema.fields.map(({ name }) => name))
    expect(rows.length, dataset.name).toBeGreaterThan(0)
    expect(rows, dataset.name).toEqual(own.map((row) => columns.map((column: string) => row[column] ?? null)))
    expect(got).toEqual(columns.map((column: string) => dtypes[dataset.columns[column]?.kind as string] ?? 'object'))
    expect(about).toMatchObject({ dataset: dataset.name, complete: true, source: 'sample' })
  }
})

test.skipIf(!there)('dates, days, SQL, status, and what is wrong', async () => {
  const out = await ran(`
import quotebook as qb
bonds = qb.convertible_daily(days=("20260727", "20260729"), fields=["tradedate", "close", "amount"], dates="datetime")
print(bonds.dtypes["tradedate"], len(bonds), bonds["tradedate"].max().date(), bonds.attrs["quotebook"]["units"]["amount"])
print(qb.sql("select $1 as word, count(*) as n from st", ["x"]).to_dict("records"))
print(len(qb.status()), "SYNTHETIC" in bonds.attrs["quotebook"]["about"])
for ask in (lambda: qb.st(symbols=["600519"], days=["20260701"], fields="nam"), lambda: qb.st(startdate="20200101", enddate="20200101"),
            lambda: qb.sql("selec 1"), lambda: qb.etf_minute(symbol="510300")):
    try:
        ask()
    except Exception as error:
        print(type(error).__name__, error)
import os
os.environ["QUOTEBOOK_URL"] = "http://127.0.0.1:1"
try:
    qb.status()
except qb.QuotebookError as error:
    print(error)
`)
  expect(out.split('\n')).toEqual([
    'datetime64[ns] 60 2026-07-29 yuan',
    expect.stringMatching(/^\[\{'word': 'x', 'n': \d+\}\]$/),
    expect.stringMatching(/^\d+ True$/),
    expect.stringMatching(/^QuotebookError (days is for|unknown field)/),
    expect.stringMatching(/^Incomplete st: /),
    expect.stringMatching(/^QuotebookError .*selec/),
    expect.stringMatching(/^TypeError .*symbol/),
    expect.stringMatching(/^http:\/\/127.0.0.1:1 does not answer/),
    '',
  ])
})

test.skipIf(!there)(
  'what SQL gives has types of its own, with and without missing cells, and can be written to',
  async () => {
    const rows = `(values (1, 9007199254740991, 0.5, true, 'a,"b', ['x', ''], date '2026-07-01'), (null, null, null, null, null, null, null),
    (-3, 2, -0.25, false, '', [], null), (4, 5, 1e300, true, '平安银行', ['涨停', 'y'], date '2026-07-02')) t(i, n, f, b, s, l, d)`
    const out = await ran(`
import json
import quotebook as qb
text = """select * from ${rows}"""
for words in (text, text + " where i > 0", text + " where i > 99"):
    frame = qb.sql(words)
    print(json.dumps([str(one) for one in frame.dtypes]))
    print(frame.astype(object).where(frame.notna(), None).to_json(orient="values", force_ascii=False, double_precision=15))
frame = qb.sql(text)
frame.loc[0, "f"], frame.loc[1, "b"], frame.loc[2, "s"] = 7.5, True, "new"
print(frame["f"].sum() > 1, frame["b"].sum(), frame["s"].tolist())
`)
    const all = ['Int64', 'Int64', 'float64', 'boolean', 'object', 'object', 'object']
    const cells = [
      [1, 9007199254740991, 0.5, true, 'a,"b', ['x', ''], '20260701'],
      [null, null, null, null, null, null, null],
      [-3, 2, -0.25, false, '', [], null],
      [4, 5, 1e300, true, '平安银行', ['涨停', 'y'], '20260702'],
    ]
    expect(
      out
        .trim()
        .split('\n')
        .map((line, at) => (at < 6 ? JSON.parse(line) : line)),
    ).toEqual([
      all,
      cells,
      all,
      [cells[0], cells[3]],
      ['Int64', 'float64', 'float64', 'boolean', 'object', 'object', 'object'],
      [],
      "True 3 ['a,\"b', None, 'new', '平安银行']",
    ])
  },
)

test.skipIf(!there)('the page hands out programs that run', async () => {
  const call = { dataset: datasetOf('etf_minute'), params: { symbols: ['510300'], period: '15m' }, fields: ['close'] }
  const text = pythonText(call as never, service.url, 'any')
  expect(await ran(text)).toContain('close')
  const file = await fetch(`${service.url}/client/quotebook.py`)
  expect(await file.text()).toBe(readFileSync('clients/python/quotebook.py', 'utf8'))
})

const programs = blocks(
  'python',
  documents.filter((document) => !isChinese(document)),
)
test.skipIf(!there).each(programs.map(({ document, text }) => [document, text]))(
  'a program of %s runs: %s',
  async (_, text) => {
    expect(await ran(text)).not.toBe('')
  },
)
