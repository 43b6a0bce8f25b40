import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { liveScreen } from '../../src/cli/live-screen.js'
import { tableText } from '../../src/cli/output.js'
import { show } from '../../src/frame/show/show-data.js'
import { terminalWidth } from '../../src/frame/show/terminal.js'
import { textWidth } from '../../src/frame/show/text-width.js'
import { fromRows } from '../../src/frame/table/from-rows.js'

class Terminal extends EventEmitter {
  columns = 20
  rows = 5
  written = ''

  write(text: string): boolean {
    this.written += text
    return true
  }

  /** What was drawn last, line by line. */
  get lines(): readonly string[] {
    const [drawn = ''] = this.written.split('\u001b[H').at(-1)?.split('\u001b[J') ?? []
    return drawn.split('\n').map((line) => line.replaceAll('\u001b[K', ''))
  }
}

test('a drawing fits the terminal at every size, and the terminal comes back', () => {
  const terminal = new Terminal()
  const screen = liveScreen(terminal as never)
  screen.draw((columns, rows) =>
    Array.from({ length: 40 }, (_, i) => `第${i}行 ${columns} x ${rows} ${'长'.repeat(50)}`),
  )
  for (const [columns, rows] of [
    [20, 5],
    [3, 2],
    [1, 1],
    [200, 60],
  ] as const) {
    Object.assign(terminal, { columns, rows })
    terminal.emit('resize')
    expect(terminal.lines.length).toBe(Math.min(rows, 40))
    for (const line of terminal.lines) expect(textWidth(line)).toBeLessThanOrEqual(columns)
  }
  expect(terminal.lines[0]).toContain('200 x 60')
  screen.end()
  expect(terminal.written.split('\u001b[?1049h').length).toBe(2)
  expect(terminal.written).toContain('\u001b[?25h\u001b[?1049l第0行')
  const before = terminal.written
  terminal.emit('resize')
  expect(terminal.written).toBe(before)
})

test('a terminal that says 0 columns and 0 rows is taken for one of 80 and 24', () => {
  const terminal = Object.assign(new Terminal(), { columns: 0, rows: 0 })
  const table = fromRows([{ a: 1, b: 'x'.repeat(200) }])
  liveScreen(terminal as never).draw((width, rows) => [
    `${width} x ${rows}`,
    ...show(table, { width, rows }).text().split('\n'),
  ])
  expect(terminal.lines[0]).toBe('80 x 24')
  const { isTTY, columns } = process.stdout
  try {
    Object.assign(process.stdout, { isTTY: true, columns: 0 })
    expect(terminalWidth()).toBe(80)
    for (const line of tableText(table).split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80)
  } finally {
    Object.assign(process.stdout, { isTTY, columns })
  }
})
