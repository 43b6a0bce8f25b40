import { connect, type Market } from 'quotebook'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableText } from '../../src/cli/output.js'
import { terminalNumbers } from '../../src/cli/terminal-numbers.js'
import { textWidth } from '../../src/frame/show/text-width.js'

let market: Market
beforeAll(async () => {
  market = await connect()
})
afterAll(() => market.close())

/** A table as the commands print it, at a terminal of so many columns or into a pipe. */
function printed(table: Parameters<typeof tableText>[0], columns?: number, colours = false): string {
  const { isTTY, columns: before } = process.stdout
  const { NO_COLOR } = process.env
  try {
    Object.assign(process.stdout, { isTTY: columns !== undefined, columns })
    if (colours) delete process.env.NO_COLOR
    else process.env.NO_COLOR = '1'
    return tableText(table)
  } finally {
    Object.assign(process.stdout, { isTTY, columns: before })
    if (NO_COLOR === undefined) delete process.env.NO_COLOR
    else process.env.NO_COLOR = NO_COLOR
  }
}

test.each([80, 110])(
  'a bond in %i columns: name, close, change, premium and turnover, as people read them',
  async (columns) => {
    const day = await market.table.convertibleDaily({ tradedate: '20260729', symbols: ['110059.SH'] })
    const text = printed(day, columns)
    expect(text.split('\n').every((line) => textWidth(line) <= columns)).toBe(true)
    expect(text).toMatch(/海岳转债 +110059\.SH +140\.591 +\+0\.21%/)
    expect(text).toMatch(/ 406,089,759\.59 .*77\.96%/)
    expect(printed(day, columns, true)).toContain(`${String.fromCharCode(27)}[31m`)
  },
)

test('a pipe has every digit and nothing between them', async () => {
  const day = await market.table.convertibleDaily({ tradedate: '20260729', symbols: ['110059.SH'] })
  expect(printed(day)).toMatch(/ 0\.211 .* 406089759\.59 .* 77\.961\b/)
})

test.each([
  // [unit, numbers, as written]
  [undefined, [2025, 2026], ['2025', '2026']],
  [undefined, [20260728, 20260729], ['20260728', '20260729']],
  [undefined, [2026, 1234567.5], ['2,026', '1,234,567.5']],
  ['row', [3582], ['3,582']],
  ['Unix second', [1785283200], ['1785283200']],
  ['yuan', [1e21, -1234], ['1e+21', '-1,234']],
] as const)('%s: %j', (unit, numbers, written) => {
  const about = { name: 'v', kind: 'number', unit, ownUnit: unit, meaning: undefined, secret: false }
  const write = terminalNumbers(about, numbers)
  expect(numbers.map(write)).toEqual(written)
})
