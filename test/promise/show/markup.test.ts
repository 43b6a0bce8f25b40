import fc from 'fast-check'
import { show, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { tableOfColumns as tableOf } from '../helper/rows.js'

const hostile = '<img src=x onerror="alert(1)">\' & </td></table><script>'
const escapedHostile =
  '&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39; &amp; &lt;/td&gt;&lt;/table&gt;&lt;script&gt;'

test('cells, heads, titles, units and notes are escaped', () => {
  const meaning = { kind: 'text', meaning: hostile, unit: hostile } as const
  const table = tableOf(
    { [hostile]: [hostile] },
    { [hostile]: meaning },
    { complete: false, note: hostile, dataset: hostile },
  )
  const html = show(table).html()
  expect(html.split(escapedHostile).length - 1).toBe(7)
  expect(html).not.toContain('<img')
  expect(html).not.toContain('<script')
})

test('markup of any text holds no tag and no attribute but ours', () => {
  const ours =
    /<\/?(?:table|thead|tbody|tr|small|b)>|<(?:div|th|td|p)(?: (?:class|scope|title)="[^"<>]*")*>|<\/(?:div|th|td|p)>/g
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), fc.string(), (cells, name) => {
      if (name === '__proto__') return
      const html = show(tableOf({ [name]: cells }))
        .html()
        .replace(/^<div class="quotebook" tabindex="0"><style>[^<]*<\/style>/, '')
      expect(html.replace(ours, '')).not.toMatch(/[<>]/)
    }),
    { numRuns: 30 },
  )
})

test('heads tell kind, unit and meaning; numbers stand at the right', () => {
  const html = show(tableOf({ vol: [1] }, { vol: { kind: 'number', unit: 'lot', meaning: 'Volume.' } })).html()
  expect(html).toContain('<th scope="col" class="n" title="number, lot: Volume.">vol<br><small>lot</small></th>')
  expect(html).toContain('<td class="n">1</td>')
})

test('heads of a frame tell what every dataset with such a column says', () => {
  const html = show(toDataFrame(tableOf({ cb_over_rate: [1], mine: [2] }))).html()
  expect(html).toMatch(/<th scope="col" class="n" title="number, percent: [^"]+">cb_over_rate/)
  expect(html).toContain('<th scope="col" class="n">mine</th>')
})

test('a long number is rounded and whole in the title; an amount never is', () => {
  const html = show(tableOf({ n: [0.1 + 0.2, 12345678901.23] })).html()
  expect(html).toMatch(/title="0\.30000000000000004">0\.3[\u2007]+<\/td>/)
  expect(html).toMatch(/<td class="n">12345678901\.23[\u2007]*<\/td>/)
})

test('a long text is cut and whole in the title; missing is not empty', () => {
  const html = show(tableOf({ t: ['转'.repeat(50), '', null] })).html()
  expect(html).toContain(`title="${'转'.repeat(50)}">${'转'.repeat(29)}…</td>`)
  expect(html).toContain('<td></td>')
  expect(html).toContain('<td class="m" title="missing">·</td>')
})

test('counts, what is shown, origin, and what is not complete', () => {
  const long = { i: Array.from({ length: 2880 }, (_, i) => i) }
  expect(show(tableOf(long)).html()).toContain('<p>2,880 rows × 1 column, 20 rows shown</p>')
  const html = show(tableOf(long, {}, { complete: false, note: 'capped', dataset: 'etf_minute' }), { rows: 3 }).html()
  expect(html).toContain('<p>etf_minute · 2,880 rows × 1 column, 3 rows shown · <b>not complete</b>: capped</p>')
  expect(html.match(/<tr>/g)).toHaveLength(1 + 4)
})

test('a wide frame shows its first and last columns', () => {
  const wide = tableOf(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`c${i}`, ['x']])))
  const heads = [
    ...show(wide, { columns: 3 })
      .html()
      .matchAll(/<th[^>]*>([^<]*)<\/th>/g),
  ].map(([, name]) => name)
  expect(heads).toEqual(['c0', 'c1', '…', 'c39'])
  expect(show(wide).html()).toContain('40 columns, 24 columns shown')
})

test('the same data gives the same bytes', () => {
  const table = tableOf({ a: ['x', null], b: [1.5, 2] })
  expect(show(table).html()).toBe(show(table).html())
})
