import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  asofJoin,
  backtest,
  chart,
  connect,
  cut,
  DataFrame,
  datasetOf,
  datasets,
  errorText,
  filter,
  fromCsv,
  fromIpc,
  fromParquet,
  fromRows,
  groupBy,
  join as joinRows,
  panel,
  pivot,
  QuotebookError,
  resampleBars,
  rolling,
  sql,
  sweepInThreads,
  tearSheet,
  tradingDays,
  verifyPage,
} from 'quotebook'
import { afterAll, expect, test } from 'vitest'
import { quotebook } from './helper/command.js'

const dir = mkdtempSync(join(tmpdir(), 'quotebook-promise-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const own = fromRows([{ a: 1, day: '20260701' }])
const sample = await connect()
const anything = (value: unknown): never => value as never
const rows = ['20260701', '20260702'].map((tradedate) => ({ tradedate, symbol: '510300.SH', open: 4, close: 4 }))
const prices = panel(fromRows(rows), { columns: ['open', 'close'] })

/** What is refused, by whom, and the names of code that its Chinese may keep. */
const refused: readonly (readonly [run: () => unknown, chinese: string | RegExp, ...names: readonly string[]])[] = [
  [
    () => connect(anything({ archiv: dir })),
    "connect（不给出 nodes 时）没有选项 'archiv'；是否指 'archive'？",
    'connect',
    'nodes',
  ],
  [
    () => connect({ nodes: ['ftp://a'], apikey: 'k' }),
    '节点地址以 ftp: 开头，而不是 http: 或 https:；地址应形如 https://host 或 https://host:8443/path',
    'ftp',
    'http',
    'https',
    'host',
    'path',
  ],
  [() => datasetOf(anything('stt')), "未知数据集 'stt'。是否指 'st'？"],
  [() => tradingDays('2026', '20260701'), "日期必须是 YYYYMMDD 格式，不能是 '2026'", 'YYYYMMDD'],
  [
    () => sample.query('etf_minute', anything({ from: 1 })),
    "etf_minute 中没有 'from'。可用的有：symbols, tradedate, trademin, period。",
    'etf_minute',
    'symbols',
    'tradedate',
    'trademin',
    'period',
  ],
  [
    () => sample.query('st', {}, { days: ['20260701'] }),
    'days 只用于每次应答一天的数据集；st：请在查询条件中给出 startdate, enddate。',
    'days',
    'st',
    'startdate',
    'enddate',
  ],
  [() => sample.ticks.read({ days: ['20200101'] }), '样本没有 20200101 的集合竞价快照', 'sample'],
  [() => sample.sql('select * from barz'), /^未知的表 'barz'；/, ...Object.keys(datasets), 'auction_ticks', 'SQL'],
  [() => sql('select * from barz', { tables: { bars: own } }), "未知的表 'barz'；是否指 'bars'？"],
  [() => filter(own, [true, false]), '掩码有 2 行，而数据有 1 行'],
  [() => groupBy(own, 'b' as 'a', {}), "该表没有列 'b'；是否指 'a'？"],
  [
    () => joinRows(own, fromRows([{ a: 'x' }]), anything({ on: 'a' })),
    "键 'a' 是数字，而右表的键 'a' 是文本，两者永不相等；以数字读取的文本会丢失前导零：代码与日期请以文本读取",
  ],
  [
    () => asofJoin(own, fromRows([{ day: '0930' }]), { on: 'day' }),
    "'day' 是日期，而右表的 'day' 是分钟；两者必须同类",
  ],
  [
    () =>
      pivot(
        fromRows([
          { a: 1, b: 'x', c: 1 },
          { a: 1, b: 'x', c: 2 },
        ]),
        { index: 'a', columns: 'b', values: 'c' },
      ),
    /^第 1 行与第 2 行落入同一单元格/,
    'a',
    'b',
    'op',
  ],
  [() => cut([1, 2], [3, 1]), 'cut：边界必须递增；这两个不是：3 与 1', 'cut'],
  [() => rolling([1], anything({}), 'mean'), 'rolling: n 必须是不小于 1 的整数，不能是对象', 'rolling', 'n'],
  [() => fromCsv('a,b\n1\n'), '第 2 行有 1 个单元格，而表头有 2 个'],
  [() => fromParquet(new Uint8Array(5)), '该文件不是完整的 Parquet 文件：只有 5 字节', 'Parquet'],
  [() => fromIpc(new Uint8Array(50)), '该文件不是完整的 Arrow IPC 文件或流（缺少结尾）', 'Arrow', 'IPC'],
  [() => new DataFrame([[1, 2]], { columns: ['a'] }), '名称有 1 个，而列有 2 个'],
  [
    () => resampleBars(own, anything('5m')),
    "周期必须是 15m、30m、day、week 或 month，不能是 '5m'",
    'm',
    'day',
    'week',
    'month',
  ],
  [() => chart(own, { x: 'a', y: 'b' }), "图表：没有列 'b'；是否指 'a'？"],
  [
    () => tearSheet(anything(3)),
    'tearSheet 必须是回测结果，或 { days, returns }，不能是 3',
    'tearSheet',
    'days',
    'returns',
  ],
  [() => verifyPage(anything(3), sample), 'verifyPage：页面必须以文本给出', 'verifyPage'],
  [
    () => backtest(prices, anything({ wights: () => ({}) }), { cash: 1000 }),
    '策略：没有 score、weights 或 orders',
    'score',
    'weights',
    'orders',
  ],
]

test('errors of every room have a message in Chinese, in which nothing is English but names', async () => {
  for (const [run, chinese, ...names] of refused) {
    const error: unknown = await Promise.resolve()
      .then(run)
      .catch((thrown: unknown) => thrown)
    expect(error, String(chinese)).toBeInstanceOf(QuotebookError)
    const said = await errorText(error, 'zh')
    if (typeof chinese === 'string') expect(said).toBe(chinese)
    else expect(said).toMatch(chinese)
    const words = said.replace(/'[^']*'/g, '').match(/[A-Za-z_]+/g) ?? []
    if (typeof chinese === 'string')
      expect(
        words.filter((word) => !names.includes(word)),
        said,
      ).toEqual([])
    expect(await errorText(error, 'en')).toBe((error as Error).message)
  }
})

test('an error of a thread is Chinese too, and one that is not Quotebook’s stays as it is', async () => {
  const module = join(dir, 'strategy.mjs')
  writeFileSync(module, "export const make = () => ({ score: () => 'x', pick: { n: 1, side: 'lowest' } })\n")
  const ran = sweepInThreads(prices, { n: [1, 2] }, { module }, { cash: 1e6, threads: 2 })
  const error: unknown = await ran.catch((thrown: unknown) => thrown)
  expect(await errorText(error, 'zh')).toMatch(/^参数扫描中的一次试算失败：策略/)
  expect(await errorText(new TypeError('no Chinese of this'), 'zh')).toBe('no Chinese of this')
})

test('the command says them with --lang zh', () => {
  const file = join(dir, 'bars.csv')
  writeFileSync(file, 'tradedate,symbol\n"20260701')
  const said = (...args: readonly string[]): string =>
    quotebook([...args, '--lang', 'zh'])
      .err.split('\n')
      .at(-2) ?? ''
  expect(said('check', 'vwap', '--file', file)).toBe('quotebook: bars.csv:2：有未闭合的引号')
  expect(said('ticks', 'read', '20200101')).toBe('quotebook: 样本没有 20200101 的集合竞价快照')
})
