import { spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import { defineDataset, importFiles } from 'quotebook'
import { afterAll, expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { listen } from '../../helper/listen.js'
import { hasPythonPackage, python } from '../../helper/python-package.js'
import { runService } from '../../helper/running-service.js'
import { file, newPlace, removeFolders } from '../../promise/helper/files.js'

/** `clients/python/quotebook.py` where the network, the values or the names are awkward. */
const there = hasPythonPackage('pandas')
removeFolders()
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
})

/** What a program prints. */
async function ran(url: string, program: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const own = { ...process.env, PYTHONPATH: 'clients/python', QUOTEBOOK_URL: url, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(python, ['-c', program], { env: { ...own, QUOTEBOOK_APIKEY: 'secret', ...env } })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(err)
  return out.trim().split('\n')
}

test.skipIf(!there)('what breaks on the way is one kind of error, and the key goes nowhere else', async () => {
  const service = await runService()
  closers.push(() => service.close())
  const whole = await fetch(`${service.url}/query/st?startdate=20260701&enddate=20260729&format=arrow`)
  const bytes = Buffer.from(await whole.arrayBuffer())
  const rows = whole.headers.get('quotebook-rows') as string
  const elsewhere: (string | undefined)[] = []
  const other = await listen(
    createServer((request, response) => {
      elsewhere.push(request.headers.authorization)
      response.end()
    }),
  )
  const send = (response: ServerResponse, body: Uint8Array | string, headers = {}): void =>
    void response.writeHead(200, { 'quotebook-rows': rows, 'quotebook-complete': 'true', ...headers }).end(body)
  const manners: Record<string, (response: ServerResponse) => void> = {
    right: (response) => send(response, bytes),
    rows: (response) => send(response, bytes, { 'quotebook-rows': '7' }),
    cut: (response) => send(response, bytes, { 'content-length': String(bytes.length + 9) }),
    half: (response) => send(response, bytes.subarray(0, bytes.length >> 1)),
    page: (response) => send(response, '<html>log in</html>'),
    json: (response) => send(response, '{"code":200,"message":"success","data":null}'),
    noise: (response) =>
      send(
        response,
        bytes.map((byte, at) => (at % 97 === 13 ? byte ^ 0x55 : byte)),
      ),
    gzip: (response) => send(response, 'no gzip', { 'content-encoding': 'gzip' }),
    reset: (response) => void response.socket?.destroy(),
    silent: () => {},
    gateway: (response) => void response.writeHead(502).end('<html>'),
    away: (response) => void response.writeHead(307, { location: `${other.url}/query/st` }).end(),
    moved: (response) => void response.writeHead(302, { location: `${other.url}/query/st` }).end(),
  }
  const awkward = await listen(
    createServer((request, response) => {
      request.resume().on('end', () => manners[String(request.url).split('/')[1] as string]?.(response))
    }),
  )
  closers.push(other.close, awkward.close)
  const program = `
import os
import quotebook as qb
for manner in ${JSON.stringify(Object.keys(manners))}:
    os.environ["QUOTEBOOK_URL"] = "${awkward.url}/" + manner
    try:
        print(manner, len(qb.st(days=("20260701", "20260729"))))
    except qb.QuotebookError as error:
        print(manner, type(error).__name__, error)
`
  const proxies = { http_proxy: 'http://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1', QUOTEBOOK_TIMEOUT: '0.5' }
  const said = await ran(service.url, program, proxies)
  expect(said[0]).toBe(`right ${rows}`)
  const kinds = Object.fromEntries(said.slice(1).map((line) => line.split(' ') as [string, string]))
  const { away, moved, ...rest } = kinds
  expect([away, moved]).toEqual(['QuotebookError', 'QuotebookError'])
  expect(new Set(Object.values(rest))).toEqual(new Set(['NoAnswer']))
  expect(said.at(-1)).toMatch(/redirects are not followed, set QUOTEBOOK_URL/)
  expect(elsewhere).toEqual([])
})

test.skipIf(!there)(
  'values of pandas and numpy, names typed wrong, three hundred columns, names of Python',
  async () => {
    const meaning = 'A name that Python keeps.'
    const wide = Object.fromEntries(
      Array.from(
        { length: 300 },
        (_, i) => [`x${i}`, { kind: 'number', unit: 'yuan', nullable: true, meaning }] as const,
      ),
    )
    const base = { title: 'T', knownAt: { fetched: true, note: 'now' } } as const
    const symbol = { kind: 'code', spelling: 'full', meaning } as const
    const label = { kind: 'label', meaning } as const
    for (const name of ['class', 'list', 'json', 'import'])
      defineDataset({ ...base, name, columns: { symbol, class: label, dates: label, lambda: label }, key: ['symbol'] })
    defineDataset({ ...base, name: 'wide', columns: { symbol, ...wide }, key: ['symbol'] })
    const dir = newPlace()
    await importFiles(dir, datasetOf('list'), [file('l.csv', 'symbol,class,dates,lambda\n600000.SH,a,b,c\n')])
    await importFiles(dir, datasetOf('wide'), [file('w.csv', 'symbol,x0,x299\n600000.SH,1,2\n')])
    const service = await runService({ dir })
    const sample = await runService()
    closers.push(
      () => service.close(),
      () => sample.close(),
    )
    const head = await fetch(`${service.url}/query/wide?format=arrow`)
    expect(head.headers.get('quotebook-columns')).toBeNull()
    const client = await (await fetch(`${service.url}/client/quotebook.py`)).text()
    const program = `
import datetime, os, sys, types
import numpy as np
import pandas as pd
qb = types.ModuleType("served")
exec(compile(${JSON.stringify(client)}, "quotebook.py", "exec"), qb.__dict__)
print(qb.list_(class_="a", dates_=["b"], lambda_="c").to_dict("records"))
wide = qb.wide()
print(wide.shape, wide["x299"][0], wide.attrs["quotebook"]["units"]["x299"], wide.attrs["quotebook"]["complete"])
os.environ["QUOTEBOOK_URL"] = "${sample.url}"
day = pd.Timestamp("2026-07-01")
counts = {len(qb.convertible_daily(symbols=pd.Series(["110059", "113050"]), startdate=first, enddate=np.datetime64("2026-07-29")))
          for first in (day, day.date(), day.to_pydatetime(), np.datetime64("2026-07-01"), "20260701")}
print(len(counts))
print(len(qb.news(limit=np.int64(3))), qb.sql("select $1 + 1 as n, $2 as day", [np.int32(4), day]).values.tolist())
for ask in (lambda: qb.convertible_dayly(), lambda: qb.st(startdat="20260701"), lambda: qb.st(startdate=pd.NaT)):
    try:
        ask()
    except Exception as error:
        print(type(error).__name__, error)
`
    expect(await ran(service.url, program)).toEqual([
      "[{'symbol': '600000.SH', 'class': 'a', 'dates': 'b', 'lambda': 'c'}]",
      '(1, 301) 2.0 yuan True',
      '1',
      "3 [[5, '20260701']]",
      "AttributeError quotebook has no dataset 'convertible_dayly'; did you mean 'convertible_daily'?",
      "TypeError st has no param 'startdat'; did you mean 'startdate'?",
      'ValueError a date is missing (NaT)',
    ])
  },
)
