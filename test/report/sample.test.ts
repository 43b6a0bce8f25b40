import { expect, test } from 'vitest'
import { renderReport } from '../../src/report/render-report.js'
import { sampleInput } from './sample-input.js'

const small = { days: 25, symbols: 4 }

test('the sample makes a full page: every section filled, every verdict explained', async () => {
  const input = sampleInput(small)
  const page = await renderReport(input)
  expect(page).toBe(await renderReport(sampleInput(small)))
  expect(page.match(/<svg /g)).toHaveLength(8)
  expect(page).not.toMatch(/class="absent"/)
  expect(page).not.toMatch(/<td class="prose"><\/td>/)
  expect(page).toContain('<span class="mark">forecast</span>')
  expect(page.length).toBeLessThan(1_000_000)
})
