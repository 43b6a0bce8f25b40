import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  columnNames,
  connect,
  datasetOf,
  defineDataset,
  type FileNote,
  fromCsv,
  fromJson,
  fromRows,
  fromTdx,
  type ImportOptions,
  importFiles,
  toCsv,
  toObjects,
} from '../../../src/index.js'
import { gbk } from '../../helper/gbk.js'
import { tempDir, tempFile } from '../../helper/temp.js'

/** Files of text as brokers, terminals and spreadsheets write them. */

const number = { kind: 'number', nullable: true, meaning: 'x' } as const
defineDataset({
  name: 'broker_rows',
  title: 'Rows of a broker',
  columns: {
    tradedate: { kind: 'date', meaning: 'day' },
    symbol: { kind: 'code', spelling: 'full', meaning: 'code' },
    name: { kind: 'text', nullable: true, meaning: 'name' },
    close: number,
    vol: number,
    listed: { kind: 'date', nullable: true, meaning: 'day' },
  },
  key: ['tradedate', 'symbol'],
  day: 'tradedate',
  knownAt: { day: 'tradedate', at: '15:00:00', note: 'after the close' },
})

async function importing(content: string | Uint8Array, options: ImportOptions = {}, name = 'rows.csv') {
  const dir = join(tempDir(), 'own')
  const notes: FileNote[] = []
  await importFiles(dir, datasetOf('broker_rows'), [tempFile(name, content)], {
    ...options,
    onFile: (note) => notes.push(note),
  })
  const market = await connect({ archive: dir })
  const table = await market
    .query('broker_rows', { startdate: '20000101', enddate: '20991231' })
    .finally(() => market.close())
  return { rows: toObjects(table).map((row) => Object.values(row)), remarks: notes[0]?.remarks ?? [] }
}

const head = 'tradedate,symbol,name,close,vol,listed\n'
const row = (name = '甲公司', day = 20260728) => `${day},600000.SH,${name},10.1,1000,20200101\n`
const want = (name: string | null = '甲公司', day = '20260728') => [day, '600000.SH', name, 10.1, 1000, '20200101']
const both = { about: 'encoding', encoding: 'GB18030', isBoth: true }

describe('GBK that is valid UTF-8 too', () => {
  test.each(['山石转债', '鹰19转债', '卓胜微', 'XD通裕', '医药', '鲁泰'])(
    '%s is read as what it says, and it is noted',
    async (name) => {
      expect(await importing(gbk(head + row(name)))).toEqual({ rows: [want(name)], remarks: [both] })
      const json = gbk(`[{"tradedate":"20260728","symbol":"600000.SH","name":"${name}"}]`)
      expect((await importing(json, {}, 'rows.json')).rows).toEqual([
        want(name).map((cell, at) => (at < 3 ? cell : null)),
      ])
      expect(() => fromCsv(gbk(`a\n${name}\n`))).toThrow(/GBK text by their words.*encoding: 'gbk'/)
      expect(toObjects(fromCsv(gbk(`a\n${name}\n`), { encoding: 'gbk' }))).toEqual([{ a: name }])
    },
  )

  const texts =
    'Σοφία é Ørsted|Nestlé|Газпром|небо и земля|שלום|Հայաստան|محمد|ไทย|삼성전자|トヨタ|β系数|σ|10 µm²|«été»|騰訊控股|平煤转债|A·B|Việt Nam|Қазақстан'
  test.each(texts.split('|'))('%s in UTF-8 stays, without a note', async (name) => {
    expect(await importing(head + row(name))).toEqual({ rows: [want(name)], remarks: [] })
  })

  test.each(['专注', '茅台', '欧诺'])(
    'what is a word in both, %s, is refused until its encoding is stated',
    async (name) => {
      const bytes = gbk(head + row(name))
      await expect(importing(bytes)).rejects.toThrow(
        new RegExp(`may be UTF-8 or GBK: .* is ${name} in GBK; .*--encoding`),
      )
      expect((await importing(bytes, { encoding: 'gbk' })).rows).toEqual([want(name)])
      expect((await importing(bytes, { encoding: 'utf8' })).rows).toEqual([want(bytes.toString().split(',')[7])])
    },
  )

  test('one such word does not decide for a file of UTF-8, at whatever size', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) =>
      row(at === 0 ? 'רע' : '甲公司', 20260728).replace('600000', `${600000 + at}`),
    )
    expect((await importing(head + rows.join(''))).remarks).toEqual([])
  })

  test('UTF-8 with bytes that are not is no GBK; UTF-16 is known by its mark', async () => {
    const cut = Buffer.concat([
      Buffer.from(head),
      Buffer.from(row('平安银行浦发银')).map((byte, at) => (at === 25 ? 0xc1 : byte)),
    ])
    await expect(importing(cut)).rejects.toThrow(/UTF-8/)
    await expect(importing(gbk(head + row()), { encoding: 'utf8' })).rejects.toThrow('is not UTF-8 text')
    const wide = await importing(Buffer.from(`\ufeff${head}${row()}`.replaceAll(',', '\t'), 'utf16le'), {}, 'rows.txt')
    expect(wide.rows).toEqual([want()])
    expect(wide.remarks).toContainEqual({ about: 'encoding', encoding: 'UTF-16' })
  })
})

describe('tables of brokers', () => {
  test.each([
    ['tab', '\t', ''],
    ['tab', '\t', '\t'],
    ['semicolon', ';', ''],
    ['semicolon', ';', ';'],
  ])('separated by a %s, %j, with %j at the end of every line', async (separator, mark, end) => {
    const text = (head + row()).replaceAll(',', mark).replaceAll('\n', `${end}\r\n`)
    for (const name of ['rows.txt', 'rows.xls']) {
      expect(await importing(text, {}, name)).toEqual({ rows: [want()], remarks: [{ about: 'separator', separator }] })
    }
    expect(columnNames(fromCsv(text))).toEqual(head.trim().split(','))
  })

  test('an end that only some lines have is a cell too many; what is lacking is said with what the names are apart by', async () => {
    await expect(importing(`${head}${row()}${row().replace('\n', ',\n')}`)).rejects.toThrow(
      'has 7 cells where the header has 6',
    )
    await expect(importing('甲\t乙\n1\t2\n')).rejects.toThrow('it has 甲, 乙, separated by tabs')
  })

  test('one column stays one, whatever stands in its name or cells', () => {
    expect(toObjects(fromCsv('a\nx;y\n'))).toEqual([{ a: 'x;y' }])
    expect(columnNames(fromCsv('remark; more\nnone\n'))).toEqual(['remark; more'])
    for (const name of ['a;b', 'a\tb'])
      expect(columnNames(fromCsv(toCsv(fromRows([{ [name]: '1;2\t3' }]))))).toEqual([name])
    expect(columnNames(fromCsv('涨幅(%,日)\t收盘\n1\t2\n'))).toEqual(['涨幅(%,日)', '收盘'])
  })

  test("Excel's formula of a text is the text, quoted or not, one word with the plain one", async () => {
    const codes = ['="600000.SH"', '"=""600001.SH"""', '600002.SH']
    const { rows } = await importing(head + codes.map((code) => row().replace('600000.SH', code)).join(''))
    expect(rows.map(([, symbol]) => symbol)).toEqual(['600000.SH', '600001.SH', '600002.SH'])
    expect(toObjects(fromCsv('a\n="007"\n"=""007"""\n007\n'))).toEqual([{ a: '007' }, { a: '007' }, { a: '007' }])
    expect(toObjects(fromCsv(toCsv(fromRows([{ a: '="007"' }]))))).toEqual([{ a: '="007"' }])
  })

  const words = ['--', '-', ' --  ', 'None', 'NaN', 'nan', 'N/A', 'NA', 'NULL', 'null', '#N/A', '<NA>', '""', '  ']
  test.each(words)('%j is a missing number and a missing day, no missing key and no missing text', async (word) => {
    const text = `20260728,600000.SH,${word},${word},${word},${word}\n`
    expect((await importing(head + text)).rows).toEqual([
      ['20260728', '600000.SH', word === '""' ? '' : word, null, null, null],
    ])
    await expect(importing(head + row().replace('20260728', word))).rejects.toThrow('tradedate')
    if (word !== '""')
      expect(toObjects(fromCsv(`a,b\n1,${word}\n${word},x\n`))).toEqual([
        { a: 1, b: word },
        { a: null, b: 'x' },
      ])
  })

  test('without a dataset only numbers lack cells by words, and a text that looks so comes back', () => {
    expect(toObjects(fromCsv('a\nNaN\n--\n'))).toEqual([{ a: 'NaN' }, { a: '--' }])
    expect(toObjects(fromCsv('a\n20260701\n--\n'))).toEqual([{ a: '20260701' }, { a: '--' }])
    expect(toObjects(fromCsv('close\n--\n', { kinds: { close: 'text' } }))).toEqual([{ close: '--' }])
    for (const cells of [
      ['1', 'NA'],
      ['--', '-'],
      ['NaN', '1.5', ''],
      ['true', 'NA'],
    ])
      for (const name of ['a', 'close', 'code', 'tradedate']) {
        const rows = cells.map((cell) => ({ [name]: cell }))
        expect(toObjects(fromCsv(toCsv(fromRows(rows))))).toEqual(rows)
      }
  })
})

describe('the end of a file', () => {
  test.each([
    ['数据来源：Wind\n', ['数据来源：Wind'], 0],
    ['\n  \n数据来源：东方财富Choice数据,,,,,\n', ['数据来源：东方财富Choice数据'], 0],
    [',,,,,\n,,,,,\n\n#数据来源:通达信\n注：仅供参考', ['#数据来源:通达信', '注：仅供参考'], 2],
    [',,,,,\n', [], 1],
  ])('%j is no row, and it is said', async (end, notes, emptyRows) => {
    const { rows, remarks } = await importing(head + row() + end)
    expect(rows).toEqual([want()])
    expect(remarks).toEqual([{ about: 'footer', notes, emptyRows }])
    expect(toObjects(fromCsv(head + row() + end.replace(/^,,,,,\n$/, '')))).toHaveLength(1)
  })

  test.each(['数据来源：Wind\n', ',,,,,\n', '数据来源：Wind,,,,,\n', '数据来源：Wind,x,,,,\n'])(
    '%j between rows is refused',
    async (line) => {
      await expect(importing(head + row() + line + row('乙', 20260729))).rejects.toThrow('rows.csv:3')
    },
  )

  test('what is no note is refused at the end too; a blank end is not worth a word', async () => {
    for (const line of ['合计,,,10,,\n', '数据来源：Wind,600000.SH,,,,\n', '20260729,600000.SH,乙,10'])
      await expect(importing(head + row() + line)).rejects.toThrow('rows.csv:3')
    expect((await importing(`${head}${row()}\r\n\r\n`)).remarks).toEqual([])
  })

  test('a row that looks so comes back from toCsv', () => {
    const rows = [
      { a: '1', b: 2 },
      { a: null, b: null },
      { a: '数据来源：Wind', b: null },
    ]
    expect(toObjects(fromCsv(toCsv(fromRows(rows))))).toEqual(rows)
    expect(toObjects(fromCsv('a\nx\n数据来源：Wind\n'))).toHaveLength(2)
  })
})

describe('exports of 通达信', () => {
  const title =
    '600062 华润双鹤 日线 不复权\n      日期\t    开盘\t    最高\t    最低\t    收盘\t    成交量\t    成交额\n'
  const bars =
    '2026/07/27,13.05,13.50,13.05,13.22,53826,710530.00\n2026/07/28,13.20,13.30,13.10,13.25,19773,261500.00\n'
  const days = (text: string) =>
    toObjects(fromTdx(gbk(text), 'SH#600062.txt')).map(({ tradedate, close }) => [tradedate, close])
  const wanted = [
    ['20260727', 13.22],
    ['20260728', 13.25],
  ]

  test.each(['#数据来源:通达信', '数据来源:通达信', '数据来源：通达信\n\n', ''])('that end with %j', (end) => {
    for (const form of ['$1/$2/$3', '$1-$2-$3', '$2/$3/$1', '$2-$3-$1', '$1$2$3', '$1/7/$3'])
      for (const mark of [',', '\t', ' ', ',\t']) {
        const text = title + bars.replaceAll(/(2026)\/(07)\/(\d\d)/g, form).replaceAll(',', mark) + end
        for (const line of ['\n', '\r\n', '\t\n']) expect(days(text.replaceAll('\n', line))).toEqual(wanted)
      }
  })

  test('that are damaged, or tables of another kind, are not taken for it', async () => {
    expect(() => days(`${title}2026/07/27,1\n数据来源:通达信`)).toThrow('a line that is no bar')
    expect(() => days(title + bars.replace('2026/07/28', '28/07/2026'))).toThrow('is damaged at bar 2')
    const list = '代码\ttradedate\t名称\n="600000.SH"\t20260728\t甲公司\n#数据来源:通达信\n'
    const { rows } = await importing(gbk(list), { rename: { 代码: 'symbol', 名称: 'name' } }, 'rows.xls')
    expect(rows).toEqual([['20260728', '600000.SH', '甲公司', null, null, null]])
  })
})

test('JSON may begin with a mark', async () => {
  expect(toObjects(fromJson('\ufeff[{"a":1}]'))).toEqual([{ a: 1 }])
  const path = tempFile('rows.json', '\ufeff[{"tradedate":"20260728","symbol":"600000.SH"}]')
  writeFileSync(path.replace('.json', '.request.json'), '\ufeff{"apiname":"broker_rows"}')
  const dir = join(tempDir(), 'own')
  expect(await importFiles(dir, datasetOf('broker_rows'), [path])).toMatchObject({ rows: 1 })
})
