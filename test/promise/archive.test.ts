import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  Archive,
  connect,
  datasetOf,
  datasets,
  type FileNote,
  fromRows,
  type ImportOptions,
  importFiles,
  type Provenance,
  provenance,
  toCsv,
  toIpc,
  toParquet,
  toXlsx,
  tradingDays,
} from 'quotebook'
import { describe, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import {
  bytesBelow,
  failure,
  file,
  folder,
  newPlace,
  objects,
  removeFolders,
  sampleCopy,
  sampleDir,
} from './helper/files.js'

removeFolders()

const bond = datasetOf('convertible_daily')
type Bond = Readonly<{ tradedate: string; symbol: string; code: string; close?: number | null; name?: string | null }>
const quote = (tradedate: string, close: number | null = 1.5, symbol = '110059'): Bond => ({
  tradedate,
  symbol,
  code: `${symbol}.SH`,
  close,
})
const head = 'tradedate,symbol,code,close'
const csv = (...quotes: readonly Bond[]): string =>
  file('b.csv', `${head}\n${quotes.map((q) => `${q.tradedate},${q.symbol},${q.code},${q.close ?? ''}\n`).join('')}`)

async function asked(dir: string, name: string, params: object = {}, asOf?: string) {
  const market = await connect({ archive: dir, asOf })
  const table = await market.query(name, params)
  await market.close()
  return { rows: objects(table), about: provenance(table) as Provenance }
}

const july = { startdate: '20260701', enddate: '20260731' }
const bonds = async (dir: string, params: object = july) =>
  (await asked(dir, 'convertible_daily', params)).rows.map(({ tradedate, symbol, close }) => [tradedate, symbol, close])

test('a query tells how many parts or days it has read, and the rows so far', async () => {
  const market = await connect()
  for (const [name, params, days] of [
    ['convertible_daily', { startdate: '20260506', enddate: '20260729' }, undefined],
    ['hotstock', { type: 'ths&normal' }, 5],
  ] as const) {
    const steps: { done: number; of: number; rows: number; what: string }[] = []
    const found = await market.query(name, params, { days, onProgress: (step) => void steps.push(step) })
    expect(steps.map(({ done }) => done)).toEqual(steps.map((_, at) => at + 1))
    expect(steps.at(-1)).toEqual({ done: steps.length, of: steps.length, rows: found.numRows, what: name })
    expect(steps.length).toBeGreaterThan(1)
  }
  await market.close()
})

/** A file imported into an archive of its own. */
async function imported(name: string, path: string, options: ImportOptions = {}, params: object = {}) {
  const dir = newPlace()
  const notes: FileNote[] = []
  await importFiles(dir, datasetOf(name), [path], { ...options, onFile: (note) => notes.push(note) })
  return { dir, notes, ...(await asked(dir, name, params)) }
}

describe('what was imported is what is found', () => {
  test('a table as CSV, JSON, a saved reply, Parquet, Arrow and Excel gives the same rows', async () => {
    const market = await connect()
    for (const [name, params] of [
      ['convertible_daily', { startdate: '20260728', enddate: '20260729' }],
      ['st', { startdate: '20260701', enddate: '20260729' }],
    ] as const) {
      const table = await market.query(name, params)
      const wanted = objects(table)
      const fields = Object.keys(wanted[0] ?? {})
      const items = wanted.map((row) => fields.map((field) => row[field]))
      const forms: readonly (readonly [string, string | Uint8Array])[] = [
        ['a.csv', toCsv(table)],
        ['a.json', JSON.stringify(wanted)],
        ['a.json', JSON.stringify({ code: 200, message: 'success', data: { fields, items } })],
        ['a.parquet', await toParquet(table)],
        ['a.arrow', toIpc(table)],
        ['a.xlsx', await toXlsx(table)],
      ]
      for (const [file_, content] of forms) {
        const { rows } = await imported(name, file(file_, content), {}, params)
        expect(rows, `${name} ${file_}`).toEqual(wanted)
      }
    }
    await market.close()
  })

  test('any rows in any order of imports: the last of each key, in the order of the contract', async () => {
    const days = ['20260629', '20260630', '20260701', '20260803']
    const key = fc.tuple(fc.constantFrom(...days), fc.constantFrom('110059', '123124'))
    const rows = fc.uniqueArray(fc.tuple(key, fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true }))), {
      selector: ([one]) => one.join(),
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 4 }), async (imports) => {
        const dir = newPlace()
        const model = new Map<string, number | null>()
        for (const list of imports) {
          const own = list.map(([[day, symbol], close]) => quote(day, close, symbol))
          await importFiles(dir, bond, [file('rows.json', JSON.stringify(own))])
          for (const { tradedate, symbol, close } of own) model.set(`${tradedate} ${symbol}`, close ?? null)
        }
        const found = await bonds(dir, { startdate: '20260601', enddate: '20260831' })
        // JSON has no -0.
        const wanted = [...model].sort().map(([at, close]) => [...at.split(' '), close === 0 ? 0 : close])
        expect(found.map((row) => row.map((cell) => (cell === 0 ? 0 : cell)))).toEqual(wanted)
      }),
      { numRuns: 10 },
    )
  })

  test('columns that a file lacks keep what was stored; a key that is there is replaced, all others stay', async () => {
    const dir = newPlace()
    const first = { ...quote('20260701'), name: '示例', vol: 7 }
    await importFiles(dir, bond, [file('a.json', JSON.stringify([first, quote('20260701', null, '000001')]))])
    await importFiles(dir, bond, [csv(quote('20260701', 3), quote('20260702', 4))])
    const { rows } = await asked(dir, 'convertible_daily', july)
    expect(rows.map(({ tradedate, symbol, close, name, vol }) => [tradedate, symbol, close, name, vol])).toEqual([
      ['20260701', '000001', null, null, null],
      ['20260701', '110059', 3, '示例', 7],
      ['20260702', '110059', 4, null, null],
    ])
  })

  test('importing twice changes no byte; an unchanged CSV is not read again, and is where its rows have changed', async () => {
    const dir = newPlace()
    const path = csv(quote('20260701'), quote('20260803'))
    const importing = async () => {
      const notes: FileNote[] = []
      const result = await importFiles(dir, bond, [path], { onFile: (note) => notes.push(note) })
      return { ...result, unchanged: notes[0]?.unchanged === true }
    }
    expect(await importing()).toEqual({ files: 1, rows: 2, changed: 2, unchanged: false })
    const before = bytesBelow(dir)
    expect(await importing()).toEqual({ files: 1, rows: 0, changed: 0, unchanged: true })
    expect(bytesBelow(dir)).toEqual(before)
    await importFiles(dir, bond, [csv(quote('20260701', 9))])
    expect(await importing()).toEqual({ files: 1, rows: 2, changed: 1, unchanged: false })
    expect(await bonds(dir, {})).toEqual([['20260803', '110059', 1.5]])
  })

  test('what a file does not say is told by --set, by its request, or by the rows themselves', async () => {
    const bar = (minute: string) => ({ tradedate: '20260701', symbol: '510300.SH', trademin: minute, time: '10:00:00' })
    const bars = (...minutes: string[]) => file('bars.json', JSON.stringify(minutes.map(bar)))
    const params = { symbols: '510300', period: '15m' }
    const minutes = async (path: string, options: ImportOptions = {}) =>
      (await imported('etf_minute', path, options, params)).rows.map(({ trademin }) => trademin)
    expect(await minutes(bars('0945'))).toEqual(['0945'])
    expect(await minutes(bars('0930', '1000'))).toEqual([])
    expect(await failure(minutes(bars('1000')))).toMatchObject({
      code: 'IMPORT',
      message: 'bars.json: does not tell its bar period: give it with --set period=15m or period=30m',
    })
    expect(await minutes(bars('1000'), { set: { period: '15m' } })).toEqual(['1000'])
    const path = bars('1000')
    writeFileSync(path.replace('.json', '.request.json'), JSON.stringify({ apiname: 'etf_minute', params }))
    expect(await minutes(path)).toEqual(['1000'])
    writeFileSync(path.replace('.json', '.request.json'), JSON.stringify({ apiname: 'st', params }))
    expect((await failure(minutes(path))).message).toBe('bars.json: was kept with a request for st, not etf_minute')
    const odd = await failure(minutes(bars('0930', '1015', '1017')))
    expect(odd).toMatchObject({ field: 'trademin', message: 'bars.json: row 3: trademin 1017 closes no 15m bucket' })
  })

  test('names of other publishers, Chinese titles with units, days and codes in another spelling: read, and said', async () => {
    const heads = 'ts_code,trade_date,market_type,收盘价（港元）,turnover'
    const path = file('top.csv', `${heads}\n00700.HK,2026/7/1,2,298.5,7\n`)
    const { rows, notes } = await imported(
      'southbound_top10',
      path,
      { rename: { turnover: 'amount' } },
      { tradedate: '20260701' },
    )
    expect(rows[0]).toMatchObject({ code: '00700.HK', trade_date: '20260701', close: 298.5, amount: 7, name: null })
    expect(notes[0]?.remarks).toEqual([
      expect.objectContaining({ name: 'Tushare ggt_top10' }),
      { about: 'dates', columns: ['trade_date'] },
    ])
    const unit = file('top.csv', 'code,trade_date,market_type,成交额(万元)\n00700.HK,20260701,2,7\n')
    expect(await failure(imported('southbound_top10', unit))).toMatchObject({
      code: 'IMPORT',
      field: 'amount',
      message: expect.stringContaining('the head "成交额(万元)" is in 万元, and amount is in yuan; convert it'),
    })
    const gbk = Buffer.concat([
      Buffer.from('tradedate,symbol,name,type,type_name\n20260701,000001,'),
      Buffer.from([0xbc, 0xd7]),
      Buffer.from(',ST,\n'),
    ])
    const st = await imported('st', file('st.csv', gbk), {}, { startdate: '20260701' })
    expect([st.rows[0]?.name, st.notes[0]?.remarks]).toEqual(['甲', [{ about: 'encoding', encoding: 'GB18030' }]])
  })

  test('texts that look like formulas come back from CSV as they were', async () => {
    const texts = ['=1+1', "'=1+1", '+86', '-5', '@x', 'a "b", c\nd', ' ', '<script>']
    const rows = texts.map((type_name, i) => ({
      tradedate: '20260701',
      symbol: `00000${i}`,
      name: 'x',
      type: 'ST',
      type_name,
    }))
    const { rows: found } = await imported(
      'st',
      file('st.csv', toCsv(fromRows(rows))),
      {},
      { startdate: '20260701', enddate: '20260701' },
    )
    expect(found.map((row) => row.type_name)).toEqual(texts)
  })
})

describe('what is wrong is named by file, line and field, and nothing of it stays', () => {
  const cases: [name: string, content: string, message: string, where?: object][] = [
    ['x.csv', `${head}\n20260701,1,1.SH,1\n20260702,2\n`, 'x.csv:3: has 2 cells where the header ', { line: 3 }],
    [
      'x.csv',
      `${head}\n20260701,110059,110059.SH,1\n20260701,110060,110060.SH,12a\n`,
      'x.csv:3: convertible_daily: row 2: close must be number, not "12a"',
      { line: 3, field: 'close' },
    ],
    [
      'x.csv',
      `${head}\n20260732,110059,110059.SH,1\n`,
      'x.csv:2: convertible_daily: row 1: tradedate must be a date YYYYMMDD, not "20260732"',
      { line: 2, field: 'tradedate' },
    ],
    [
      'x.csv',
      `${head}\n20260701,"110059",110059.SH,"1"\n20260701,,110060.SH,1\n`,
      'x.csv:3: convertible_daily: row 2: symbol is null where the contract requires a value',
      { line: 3, field: 'symbol' },
    ],
    [
      'x.csv',
      `${head}\n20260701,110059,110059.SH,1\n20260701,110060,110060.SH,1\n20260701,110059,110059.SH,2\n`,
      'x.csv:4: rows 1 and 3 share the key ["20260701","110059.SH"]',
      { line: 4 },
    ],
    [
      'x.csv',
      'tradedate,close\n20260701,1\n',
      'x.csv: lacks symbol, code of convertible_daily; it has tradedate, close',
    ],
    ['x.csv', '', 'x.csv: is empty'],
    ['x.json', '{"code":200', 'x.json: is not JSON: '],
    ['x.json', '[1]', 'x.json: element 1 is not a row object'],
    [
      'x.json',
      '{"code":403,"message":"no permission","data":null}',
      'x.json: the reply is an error of the service: 403 no permission',
    ],
    [
      'x.json',
      JSON.stringify([{ ...quote('20260701'), symbol: 110059 }]),
      'x.json: convertible_daily: row 1: symbol must be code, not 110059',
      { field: 'symbol' },
    ],
    ['x.parquet', 'PAR1 and no more', 'x.parquet: is not a whole Parquet file'],
    ['x.xlsx', 'PK\u0003\u0004 not a zip', 'x.xlsx: can not be read as an Excel file: '],
  ]
  test.each(cases)('%s %j', async (name, content, message, where) => {
    const dir = newPlace()
    await importFiles(dir, bond, [csv(quote('20260701'))])
    const before = bytesBelow(dir)
    const good = csv(quote('20260702'))
    const error = await failure(importFiles(dir, bond, [good, file(name, content)]))
    expect(error.message.slice(0, message.length)).toBe(message)
    expect(error).toMatchObject({ code: 'IMPORT', ...where })
    expect(bytesBelow(dir)).toEqual(before)
    const fresh = newPlace()
    await failure(importFiles(fresh, bond, [file(name, content)]))
    expect(bytesBelow(fresh)).toEqual({})
  })

  test('bounds: rows, bytes, a cell, depth of JSON; each can be set', async () => {
    const path = csv(quote('20260701'), quote('20260702'))
    const importing = (one: string, limits: object) => failure(importFiles(newPlace(), bond, [one], { limits }))
    expect((await importing(path, { rows: 1 })).message).toBe(
      'b.csv: has 2 rows, and 1 are the most that is read; give it in parts',
    )
    const rows = file('b.parquet', await toParquet(fromRows([quote('20260701'), quote('20260702')])))
    expect((await importing(rows, { rows: 1 })).message).toMatch(/^b\.parquet: .*2 rows, and 1 are the most/)
    expect((await importing(path, { bytes: 20 })).message).toMatch(/ has \d+ bytes, and 20 are the most that is read; /)
    const long = file('c.csv', `tradedate,symbol,code,name\n20260701,110059,110059.SH,${'x'.repeat(5000)}\n`)
    expect((await importing(long, { cell: 4999 })).message).toMatch(/ of 5000 bytes.* 4999 are the most/)
    const deep = file('d.json', `[{"tradedate":${'['.repeat(70)}${']'.repeat(70)}}]`)
    expect((await importing(deep, {})).message).toBe('d.json: it is more than 64 levels deep, in tradedate')
    expect(await failure(importFiles(newPlace(), bond, [folder()]))).toMatchObject({
      code: 'IMPORT',
      message: expect.stringMatching(/: is not a regular file$/),
    })
    expect((await importFiles(newPlace(), bond, [long], { limits: { cell: 5000 } })).rows).toBe(1)
  })

  test('replies that were cut are refused, unless it is said that they may be; answers say so then', async () => {
    const items = (length: number) =>
      Array.from({ length }, (_, i) => ['20260701', `${100000 + i}`, `${100000 + i}.SH`])
    const reply = (rows: number) => ({
      code: 200,
      message: 'success',
      data: { fields: ['tradedate', 'symbol', 'code'], items: items(rows) },
    })
    const full = file('full.json', JSON.stringify(reply(6000)))
    expect((await failure(imported('convertible_daily', full))).message).toBe(
      'full.json: holds 6000 rows, the most a call gives: it may be cut. Split the query, or import it as it is with --partial, and the archive will say that it may not be whole',
    )
    const { about } = await imported('convertible_daily', full, { partial: true }, { tradedate: '20260701' })
    expect([about.rows, about.complete]).toEqual([6000, false])
    const question = (at: number) => [
      '000001',
      '20260701',
      `${10 + at}`,
      '2026-07-01 10:00:00',
      'q',
      '2026-07-01 11:00:00',
      'a',
      1,
      false,
    ]
    const page = (offset: number, count: number) =>
      file(
        `p${offset}.json`,
        JSON.stringify({
          code: 200,
          message: 'success',
          data: {
            fields: Object.keys(datasetOf('interactive_qa').columns),
            items: Array.from({ length: count }, (_, i) => question(offset + i)),
            total: 3,
            offset,
            limit: 2,
          },
        }),
      )
    const qa = datasetOf('interactive_qa')
    expect((await failure(importFiles(newPlace(), qa, [page(0, 2)]))).message).toMatch(
      /^p0\.json: leaves out rows 3 to 3 of 3\. Give all pages, /,
    )
    expect((await importFiles(newPlace(), qa, [page(2, 1), page(0, 2)])).rows).toBe(3)
  })

  test('a misspelt rename is refused with the nearest right name; columns that are not kept, or not there, are told', async () => {
    const path = file('b.csv', `${head},extra\n20260701,110059,110059.SH,1,x\n`)
    expect(await failure(imported('convertible_daily', path, { rename: { extra: 'vwapp' } }))).toMatchObject({
      code: 'IMPORT',
      message: expect.stringContaining("'vwapp'"),
    })
    const { notes } = await imported('convertible_daily', path)
    expect([notes[0]?.ignored, notes[0]?.absent.slice(0, 2)]).toEqual([['extra'], ['name', 'pre_close']])
  })

  test('a directory that is something else stays as it is; a signal ends an import without a trace', async () => {
    const dir = folder()
    writeFileSync(join(dir, 'thesis.txt'), 'mine')
    expect(await failure(importFiles(dir, bond, [csv(quote('20260701'))]))).toMatchObject({
      code: 'ARCHIVE',
      message: `${dir} is not empty and not an archive; give an empty or new directory`,
    })
    expect(Object.keys(bytesBelow(dir))).toEqual(['thesis.txt'])
    const [place, stop] = [newPlace(), new AbortController()]
    const options = { signal: stop.signal, onFile: () => stop.abort(new Error('enough')) }
    await expect(importFiles(place, bond, [csv(quote('20260701')), csv(quote('20260702'))], options)).rejects.toThrow(
      'enough',
    )
    expect(bytesBelow(place)).toEqual({})
    expect(await failure(connect({ archive: place }))).toMatchObject({ code: 'ARCHIVE' })
  })
})

describe('an answer is complete only where the archive shows it', () => {
  test('every trading day asked for has rows, or is covered; else the days are named', async () => {
    const dir = newPlace()
    await importFiles(dir, bond, [csv(quote('20260701'), quote('20260706'))])
    const ask = async (params: object) => (await asked(dir, 'convertible_daily', params)).about
    expect(await ask({ tradedate: '20260701' })).toMatchObject({ complete: true, proof: 'calendar' })
    expect(await ask({ tradedate: '20260704' })).toMatchObject({ complete: true, rows: 0 })
    expect(await ask({ startdate: '20260701' })).toMatchObject({
      complete: false,
      note: 'no rows on 2 trading days: 20260702, 20260703',
      without: { days: ['20260702', '20260703'] },
    })
    await importFiles(dir, bond, [], { covers: { from: '20260701', to: '20260702' } })
    expect(await ask({ startdate: '20260701', enddate: '20260702' })).toMatchObject({ complete: true })
    expect(await ask({ startdate: '20260701', enddate: '20260707' })).toMatchObject({
      complete: false,
      note: 'no rows on 2 trading days: 20260703, 20260707, not covered by the archive',
    })
    expect(await failure(importFiles(dir, bond, [], { covers: { from: '20260702', to: '20260701' } }))).toMatchObject({
      code: 'USAGE',
      message: 'covers must be days from one to another, not 20260702 to 20260701',
    })
  })

  test('any days: absent are the trading days that a brute force finds', async () => {
    const all = tradingDays('20260615', '20260710')
    const some = fc.subarray([...all], { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(some, fc.constantFrom(...all), async (there, from) => {
        const dir = newPlace()
        await importFiles(dir, bond, [csv(...there.map((day) => quote(day)))])
        const latest = there.at(-1) as string
        if (from > latest) return
        const { about } = await asked(dir, 'convertible_daily', { startdate: from })
        const absent = all.filter((day) => day >= from && day <= latest && !there.includes(day))
        expect([about.complete, about.without?.days ?? []]).toEqual([absent.length === 0, absent])
      }),
      { numRuns: 10 },
    )
  })

  test('a request that is kept with a reply covers the days that were past when it was asked for', async () => {
    const dir = folder()
    const data = { fields: ['tradedate', 'symbol', 'code'], items: [['20260701', '110059', '110059.SH']] }
    writeFileSync(join(dir, 'b.json'), JSON.stringify({ code: 200, message: 'success', data }))
    const params = { startdate: '20260627', enddate: '20260731' }
    const request = { apiname: 'convertible_daily', params, asked: '2026-07-02T20:00:00+08:00' }
    writeFileSync(join(dir, 'b.request.json'), JSON.stringify(request))
    const { dir: archive, notes } = await imported('convertible_daily', join(dir, 'b.json'))
    expect(notes[0]?.remarks).toEqual([{ about: 'covered', from: '20260627', to: '20260701', codes: 'all' }])
    const weekend = await asked(archive, 'convertible_daily', { tradedate: '20260628' })
    expect(weekend.about).toMatchObject({ complete: true, rows: 0 })
    const { about } = await asked(archive, 'convertible_daily', { startdate: '20260629', enddate: '20260702' })
    expect(about.without?.days).toEqual(['20260629', '20260630', '20260702'])
  })

  test('of named codes every bar must be there, of all codes the last bucket', async () => {
    const minutes = ['0930', '1000', '1030', '1100', '1130', '1330', '1400', '1430', '1500']
    const bars = (symbol: string, from: number, to: number) =>
      minutes.slice(from, to).map((trademin) => ({ tradedate: '20260701', symbol, trademin, time: '10:00:00' }))
    const answers = async (rows: object[]) => {
      const { dir } = await imported('etf_minute', file('bars.json', JSON.stringify(rows)), { set: { period: '30m' } })
      return async (params: object): Promise<unknown> => {
        const { about } = await asked(dir, 'etf_minute', { tradedate: '20260701', period: '30m', ...params })
        return about.complete ? about.proof : String(about.note)
      }
    }
    const own = [...bars('510300.SH', 0, 9), ...bars('159915.SZ', 0, 5)]
    const ask = await answers([...own, ...bars('159001.SZ', 0, 5), ...bars('159001.SH', 5, 9)])
    expect(await ask({ symbols: '510300' })).toBe('grid')
    expect(await ask({ symbols: '159001' })).toBe('grid')
    expect(await ask({ symbols: '510300,159915' })).toBe('159915 has 5 of 9 bars on 20260701')
    expect(await ask({ symbols: '159001.SZ' })).toBe('159001.SZ has 5 of 9 bars on 20260701')
    expect(await ask({ symbols: '159915', trademin: '0930' })).toBe('grid')
    expect(await ask({ symbols: '159915', trademin: '1500' })).toBe('159915 has 0 of 1 bars on 20260701')
    const early = await answers(bars('510300.SH', 0, 8))
    expect(await early({})).toBe('the bars of 20260701 lack the bucket 1500')
  })

  test('every dataset of the sample is complete over its days, and names the state it is of', async () => {
    const market = await connect()
    const state = await market.archive?.state()
    const range = { startdate: '20260506', enddate: '20260729' }
    const questions: Record<string, object> = {
      st: range,
      theme_daily: { type: 'tj', ...range },
      convertible_daily: range,
      southbound_top10: range,
      transfer_financing: range,
      etf_minute: { symbols: '510300', period: '15m', tradedate: '20260729' },
      convertible_minute: { tradedate: '20260729', trademin: '1030' },
      hotstock: { type: 'xq&biaos', tradedate: '20260729' },
      anomaly_forecast: {},
      finance_announcement: {},
      interactive_qa: { version: 'all' },
      news: {},
      thememembers_jx: { level: 'child' },
    }
    for (const { name, example } of datasets) {
      const params = questions[name] ?? example
      const about = provenance(await market.query(name, params))
      expect(about, name).toMatchObject({ complete: true, source: 'sample', state })
      expect(about?.rows, name).toBeGreaterThan(0)
    }
    await market.close()
  })
})

describe('what is there, and what was known', () => {
  test('status counts days, rows and what was due and is missing, with the reason', async () => {
    const dir = newPlace()
    await importFiles(dir, bond, [csv(quote('20260701'), quote('20260703'))])
    const market = await connect({ archive: dir })
    const columns = ['dataset', 'scope', 'first', 'last', 'days', 'covered', 'missing', 'why', 'rows', 'last_sync']
    const rows = async (options: object) => {
      const frame = await market.status(options)
      const cells = frame.values as unknown[][]
      return cells.map((row) =>
        columns.map((name) => row[frame.columns.indexOf(name)]).map((cell) => (Number.isNaN(cell) ? null : cell)),
      )
    }
    const own = ['convertible_daily', '', '20260701', '20260703', 2]
    expect(await rows({})).toEqual([[...own, null, 1, 'no rows: 20260702', 2, null]])
    expect(await rows({ dueBy: '2026-07-03T10:00' })).toEqual([[...own, null, 1, 'no rows: 20260702', 2, null]])
    expect(await rows({ from: '20260630', dueBy: '20260706' })).toEqual([
      [...own, null, 3, 'no rows: 20260630 20260702 20260706', 2, null],
    ])
    const covers = { from: '20260701', to: '20260702' }
    await importFiles(dir, bond, [], { covers, asked: '2026-07-02T20:00' })
    expect(await rows({ dueBy: '20260706' })).toEqual([
      [...own, 2, 1, 'not covered: 20260706', 2, '2026-07-02T20:00:00+08:00'],
    ])
    expect(await failure(market.status({ dueBy: 'tomorrow' }))).toMatchObject({
      code: 'USAGE',
      message: "dueBy must be a date or a time, not 'tomorrow'",
    })
    await market.close()
  })

  test('the command says what is missing, and ends with 1 then', async () => {
    const dir = newPlace()
    await importFiles(dir, bond, [csv(quote('20260701'), quote('20260703'))])
    const lacks = await here('status', '--source', dir, '--format', 'json')
    const due = await here('status', '--source', dir, '--due-by', '20260701')
    expect([lacks.code, JSON.parse(lacks.out)[0].why]).toEqual([1, 'no rows: 20260702'])
    expect(lacks.err).toMatch(/1 days that were due are missing, of convertible_daily$/m)
    expect([due.code, due.err]).toEqual([0, expect.stringContaining('nothing that was due is missing')])
  })

  test('an import that says when it was asked for is known since then; any other at no moment', async () => {
    const dir = newPlace()
    const covers = { from: '20260702', to: '20260702' }
    await importFiles(dir, bond, [csv(quote('20260702'))], { covers, asked: '2026-07-03T09:00' })
    await importFiles(dir, bond, [csv(quote('20260701'))])
    const at = async (moment: string) => {
      const { rows, about } = await asked(dir, 'convertible_daily', { ...july, enddate: '20260702' }, moment)
      return [rows.map(({ tradedate }) => tradedate), about.complete, about.note && String(about.note)]
    }
    const note = expect.stringContaining('nobody said since when they are known')
    expect(await at('2026-07-03T09:00')).toEqual([['20260702'], false, note])
    expect(await at('2026-07-03T08:59')).toEqual([[], false, note])
    expect(await failure(connect({ asOf: '20260730' }))).toMatchObject({
      code: 'ARCHIVE',
      message: expect.stringContaining('does not tell what was known at a moment'),
    })
    expect(await failure(connect({ archive: dir, asOf: 'yesterday' }))).toMatchObject({
      code: 'USAGE',
      message: "asOf must be a date or a time such as 2026-07-30T22:00, not 'yesterday'",
    })
  })
})

describe('an archive stays what it is', () => {
  test('one writer at a time: another waits its time, and says who is at it', async () => {
    const dir = newPlace()
    let inside: { code: string; message: string } | undefined
    const [first, second] = [csv(quote('20260701')), csv(quote('20260702'))]
    await importFiles(dir, bond, [first], {
      onFile: () => void failure(importFiles(dir, bond, [second], { waitMs: 0 })).then((error) => (inside = error)),
      onProgress: () => undefined,
    })
    await expect
      .poll(() => inside)
      .toMatchObject({
        code: 'ARCHIVE_BUSY',
        message: `${dir} is being written by another process; try again when it is done`,
      })
    await Promise.all(
      ['20260706', '20260707', '20260708'].map((day) => importFiles(dir, bond, [csv(quote(day))], { waitMs: 60_000 })),
    )
    expect((await bonds(dir)).map(([day]) => day)).toEqual(['20260701', '20260706', '20260707', '20260708'])
    expect(readdirSync(dir).sort()).toEqual(['convertible_daily', 'manifest.json'])
  })

  test('a reader sees one state, whole, while another writes', async () => {
    const dir = newPlace()
    const days = tradingDays('20260701', '20260731')
    const put = (close: number) => importFiles(dir, bond, [csv(...days.map((day) => quote(day, close)))])
    await put(0)
    const market = await connect({ archive: dir })
    let isOver = false
    const writing = (async () => {
      for (let close = 1; close <= 6; close++) await put(close)
    })().finally(() => {
      isOver = true
    })
    while (!isOver) {
      const closes = objects(await market.table.convertibleDaily(july)).map(({ close }) => close)
      expect([closes.length, new Set(closes).size]).toEqual([days.length, 1])
      await new Promise((turn) => setImmediate(turn))
    }
    await writing
    expect(objects(await market.table.convertibleDaily(july))[0]?.close).toBe(6)
    await market.close()
  })

  test('what is damaged or missing is named and refused; repair tells which days are lost, and keeps the rest', async () => {
    const dir = newPlace()
    await importFiles(dir, bond, [csv(quote('20260630'), quote('20260701'), quote('20260803'))])
    const path = (month: string) => {
      const [name] = readdirSync(join(dir, 'convertible_daily')).filter((one) => one.startsWith(month))
      return join(dir, 'convertible_daily', name as string)
    }
    const [lost, damaged] = [path('202607'), path('202608')]
    rmSync(lost)
    const bytes = readFileSync(damaged)
    bytes[5] = (bytes[5] as number) ^ 1
    writeFileSync(damaged, bytes)
    const advice = `quotebook archive repair --archive ${dir} reports what is lost and removes it`
    const ask = (tradedate: string) => failure(asked(dir, 'convertible_daily', { tradedate }))
    expect(await ask('20260701')).toMatchObject({ code: 'ARCHIVE', message: `${lost} is missing; ${advice}` })
    expect((await ask('20260803')).message).toBe(
      `${damaged} is damaged: its checksum is not that of the manifest; ${advice}`,
    )
    const ran = await here('archive', 'repair', '--archive', dir)
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('2 rows of 2 files are lost')])
    expect(ran.out).toMatch(/convertible_daily +20260701 +20260701 +1 .*is missing/)
    expect(ran.out).toMatch(/convertible_daily +20260803 +20260803 +1 .*is damaged/)
    expect(await bonds(dir, { startdate: '20260601', enddate: '20260831' })).toEqual([['20260630', '110059', 1.5]])
    const again = await here('archive', 'repair', dir)
    expect(again.err).toContain('every file that its manifest names is there and sound')
  })

  test('a file that was lost gives way to an import of its days', async () => {
    const dir = newPlace()
    const path = csv(quote('20260701'), quote('20260702'))
    await importFiles(dir, bond, [path])
    const [name = ''] = readdirSync(join(dir, 'convertible_daily'))
    rmSync(join(dir, 'convertible_daily', name))
    expect((await failure(importFiles(dir, bond, [csv(quote('20260702'))]))).message).toContain('archive repair')
    const result = await importFiles(dir, bond, [path])
    expect(result).toMatchObject({ rows: 2, changed: 1, replaced: [`convertible_daily/${name}`] })
    expect((await bonds(dir)).length).toBe(2)
  })

  test.each([
    ['not JSON', (text: string) => text.slice(0, -9), 'is not JSON; the archive is damaged'],
    [
      'another format',
      (text: string) => text.replace(/"format": ?3/, '"format": 4'),
      'has format 4: a newer version of Quotebook wrote it, and 0.1.0 reads format 3; install that one: npm i quotebook@latest',
    ],
    [
      'a changed number',
      (text: string) => text.replace(/"rows": ?\d+/, '"rows":1'),
      'is damaged: its checksum is not that of what it says',
    ],
  ])('a manifest that is %s is refused', async (_, change, message) => {
    const dir = sampleCopy()
    const path = join(dir, 'manifest.json')
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    expect(await failure(connect({ archive: dir }))).toMatchObject({ code: 'ARCHIVE', message: `${path} ${message}` })
  })

  test('a copy is the same archive byte for byte; one that goes on is copied again; another one is refused', async () => {
    const [dir, target] = [newPlace(), newPlace('copy')]
    await importFiles(dir, bond, [csv(quote('20260701'), quote('20260803'))])
    const copied = (from: string, to: string) => here('copy', '--source', from, '--archive', to)
    const first = await copied(dir, target)
    expect(first.err).toContain(`2 files copied`)
    expect(first.err).toContain(`state ${await new Archive(dir, 'a').state()}`)
    expect(bytesBelow(target)).toEqual(bytesBelow(dir))
    await importFiles(dir, bond, [csv(quote('20260701', 7))])
    expect((await copied(dir, target)).err).toMatch(/: 1 files copied \(.*\), 1 were there;/)
    expect(bytesBelow(target)).toEqual(bytesBelow(dir))
    expect(await copied(sampleDir, target)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is not empty and no earlier state of .*: .*; give an empty place$/m),
    })
    expect((await copied(newPlace(), newPlace())).code).toBe(2)
  })

  test('the committed sample is read as it was written: every file is what its manifest says', async () => {
    const dir = sampleCopy()
    mkdirSync(join(dir, '..', 'other'))
    cpSync(join(dir, 'manifest.json'), join(dir, '..', 'other', 'manifest.json'))
    const ran = await here('archive', 'repair', dir)
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('is there and sound')])
    expect(bytesBelow(dir)).toEqual(bytesBelow(sampleDir))
    const archive = new Archive(sampleDir, 'sample')
    expect(await archive.state()).toBe(bytesBelow(sampleDir)['manifest.json'])
    expect((await archive.manifest()).about).toMatch(/^SYNTHETIC/)
  })
})
