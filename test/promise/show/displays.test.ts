import { inspect } from 'node:util'
import { Table, tableToIPC } from 'apache-arrow'
import {
  backtest,
  checkVwap,
  connect,
  DataFrame,
  derive,
  fromParquet,
  panel,
  performanceStats,
  Series,
  show,
  toDataFrame,
  toParquet,
} from 'quotebook'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { tableOfColumns as tableOf } from '../helper/rows.js'

const table = tableOf({ name: ['示例', null], close: [1.5, 2] })
const frame = toDataFrame(table)
const text = 'name  close\n示例    1.5\n·       2\n[2 rows x 2 columns]'
const jupyter = Symbol.for('Jupyter.display')

afterEach(() => {
  Reflect.deleteProperty(globalThis, '__tslab__')
  vi.restoreAllMocks()
})

test('console.log shows tables, frames and series as text, and inside other values as a word', async () => {
  const own = [table, frame, await fromParquet(await toParquet(table)), show(table)]
  for (const value of own) expect(inspect(value)).toBe(text)
  expect(inspect(frame.column('close'))).toBe('close\n  1.5\n  2\n[2 rows x 1 columns]')
  expect(inspect([frame, { table }, frame.column('close')])).toBe(
    '[ DataFrame 2 x 2, { table: Table 2 x 2 }, Series 2 x 1 ]',
  )
  expect(inspect(frame, { depth: null })).toBe(text)
})

test('results of computations show themselves by their figures', async () => {
  const market = await connect()
  const days = { startdate: '2026-06-01', enddate: '2026-06-12' }
  const rows = await market.table.convertibleDaily({ ...days, symbols: ['110059.SH', '127061.SZ'] })
  await market.close()
  const prices = panel(rows, { columns: ['open', 'close', 'pre_close', 'vol'] })
  const hold = { weights: () => ({ '110059.SH': 1 }) }
  expect(inspect(prices)).toMatch(/^Panel of 2 codes and 10 days, 2026-06-01 to 2026-06-12\n.*\nopen +100\.00%/)
  const result = backtest(prices, hold, { cash: 1e6 })
  expect(inspect(result)).toMatch(
    /^Backtest of 10 days, 2026-06-01 to 2026-06-12.*\nReturn\n {2}Total return {2,}[+-]\d/,
  )
  expect(
    inspect(result)
      .match(/^\S.*$/gm)
      ?.slice(1),
  ).toEqual(['Return', 'Risk', 'Return for risk', 'Shape of the returns', 'Trading'])
  expect(inspect(result)).not.toContain('rows x')
  const { 'text/html': html } = (result as unknown as Record<symbol, () => Record<string, string>>)[jupyter]?.() ?? {}
  expect(html?.match(/<table>/g)).toHaveLength(5)
  expect(html).toMatch(
    /<th scope="col">Return<\/th><th scope="col" class="n">value<\/th>[\s\S]*<td>Total return<\/td><td class="n">/,
  )
  expect(inspect(performanceStats(result))).toMatch(/^Performance of 10 returns, 252 periods a year\n/)
  expect(inspect({ result })).toBe('{ result: Backtest of 10 days, 2026-06-01 to 2026-06-12 }')
})

test('what is cut out of a table shows itself, and is what Arrow would cut', () => {
  const bare = new Table(table.schema, table.batches)
  expect(inspect(table.slice(0, 1))).toBe('name  close\n示例    1.5\n[1 rows x 2 columns]')
  expect(inspect(table.select(['close']).slice(1, 2))).toBe('close\n    2\n[1 rows x 1 columns]')
  expect(inspect(table.selectAt([0]).concat(table.selectAt([0])))).toContain('[4 rows x 1 columns]')
  expect(tableToIPC(table.slice(1, 2).select(['close']))).toEqual(tableToIPC(bare.slice(1, 2).select(['close'])))
  expect(table.slice(0, 1).constructor).toBe(Table)
})

test('derived frames, toString and print say the same', () => {
  expect(inspect(frame.head(2))).toBe(text)
  expect(String(frame)).toBe(text)
  expect(`${table} ${table.slice(1)}`).toBe(`${text} name  close\n·         2\n[1 rows x 2 columns]`)
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  frame.print()
  expect(write.mock.calls).toEqual([[`${text}\n`]])
})

test('nothing is enumerable, and nothing of Arrow is touched', () => {
  expect(Object.keys(table)).toEqual(Object.keys(new Table(table.schema, table.batches)))
  expect(Object.getOwnPropertySymbols(Table.prototype)).not.toContain(jupyter)
  const hook = Symbol.for('nodejs.util.inspect.custom')
  for (const { prototype } of [DataFrame, Series]) expect(Object.keys(prototype)).not.toContain(hook)
})

test('kernels that ask for forms get both', () => {
  const bundle = (frame as unknown as Record<symbol, () => Record<string, string>>)[jupyter]?.call(frame)
  expect(bundle?.['text/plain']).toBe(text)
  expect(bundle?.['text/html']).toBe(show(frame).html())
})

describe('in a tslab kernel', () => {
  function kernel(): { sent: unknown[]; printed: string[]; log: (value: unknown) => void } {
    const [sent, printed]: [unknown[], string[]] = [[], []]
    const jupyterModule = {
      filename: '/x/node_modules/tslab/dist/jupyter.js',
      exports: { lastWriteDisplayData: (message: unknown) => sent.push(message) },
    }
    const require = Object.assign(() => ({}), { cache: { a: jupyterModule } })
    Object.assign(globalThis, { __tslab__: { require } })
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      printed.push(String(chunk))
      return true
    })
    return { sent, printed, log: (value) => process.stdout.write(`${inspect(value)}\n`) }
  }

  test('the last expression is sent with both forms, and no empty line is left', async () => {
    const { sent, printed, log } = kernel()
    log(frame)
    process.stdout.write('\n')
    log(1)
    expect(sent).toEqual([
      { data: { 'text/html': show(frame).html(), 'text/plain': text }, metadata: {}, transient: {} },
    ])
    expect(printed).toEqual(['\n', '1\n'])
    await null
    process.stdout.write('\n')
    expect(printed).toEqual(['\n', '1\n', '\n'])
  })

  test('a value that is not followed by its line end keeps what comes after', async () => {
    const { printed } = kernel()
    inspect(frame)
    await null
    process.stdout.write('\n')
    inspect(frame)
    process.stdout.write('x\n')
    expect(printed).toEqual(['\n', 'x\n'])
  })

  test('beside other values it follows their line, each in its turn', async () => {
    const { sent, printed } = kernel()
    const order: string[] = []
    vi.spyOn(sent, 'push').mockImplementation(() => order.push('shown'))
    vi.spyOn(printed, 'push').mockImplementation((text) => order.push(text))
    const line = `x ${inspect(frame)} ${inspect(table)}\n`
    process.stdout.write(line)
    process.stdout.write('after\n')
    inspect(frame)
    await null
    expect(order).toEqual(['x  \n', 'shown', 'shown', 'after\n', 'shown'])
  })

  test('inside another value it is a word', () => {
    const { sent, printed, log } = kernel()
    log([table])
    expect([sent, printed]).toEqual([[], ['[ Table 2 x 2 ]\n']])
  })

  test('without the inner writer the public way is used', () => {
    const html = vi.fn()
    Object.assign(globalThis, { __tslab__: { require: () => ({ display: { html } }) } })
    show(frame).display()
    expect(html.mock.calls).toEqual([[show(frame).html()]])
  })
})

test('display on a terminal prints', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  show(table).display()
  expect(write.mock.calls).toEqual([[`${text}\n`]])
})

test('a check shows its verdict, its counts and its worst rows', async () => {
  const market = await connect()
  const bars = await market.table.etfMinute({ symbols: '510300.SH', period: '15m' })
  const sound = checkVwap(bars)
  expect(inspect(sound)).toMatch(/^vwap: [\d,]+ rows, .*no row contradicts the rule; all rows\n/)
  const wrong = checkVwap(derive(bars, { vwap: (c) => c.vwap.map((value, row) => (row === 7 ? value + 1 : value)) }))
  expect(inspect(wrong)).toMatch(/1 mismatch.*, some rows contradict the rule; worst rows first\n/)
  expect(inspect(wrong)).toContain('[1 rows x')
  expect(inspect({ wrong })).toContain('some rows contradict the rule')
})
