import { expect, test, vi } from 'vitest'
import { RunningLine } from '../../../src/cli/notebook/kernel/running-line.js'

test('a line comes after a second, is updated five times a second at most, and ends as its last state without a bar', () => {
  const put: [type: string, text: string][] = []
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const line = new RunningLine('place', (type, content) => {
    const { data } = content as { data: Record<string, string> }
    put.push([type, data['text/html'] as string])
  })
  for (let done = 1; done <= 16; done++) {
    now.mockReturnValue(done * 100)
    line.tell({ done, of: 16, text: `<${done}>` })
  }
  line.end()
  line.tell({ done: 16, of: 16, text: 'late' })
  expect(put).toEqual([
    ['display_data', '<progress max="16" value="11"></progress> <span>&lt;11&gt;</span>'],
    ['update_display_data', '<progress max="16" value="13"></progress> <span>&lt;13&gt;</span>'],
    ['update_display_data', '<progress max="16" value="15"></progress> <span>&lt;15&gt;</span>'],
    ['update_display_data', '<span>&lt;16&gt;</span>'],
  ])
})

test('a short cell has none', () => {
  const put: string[] = []
  vi.useFakeTimers()
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const line = new RunningLine('place', (type) => put.push(type))
  line.tell({ done: 1, of: 1, text: '' })
  line.end()
  vi.advanceTimersByTime(5000)
  expect(put).toEqual([])
  vi.useRealTimers()
})

test('a step that takes long is shown while it does', () => {
  vi.useFakeTimers()
  const put: string[] = []
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const line = new RunningLine('place', (type) => put.push(type))
  line.tell({ done: 0, of: 2, text: '' })
  now.mockReturnValue(1000)
  vi.advanceTimersByTime(1000)
  expect(put).toEqual(['display_data'])
  vi.useRealTimers()
})
