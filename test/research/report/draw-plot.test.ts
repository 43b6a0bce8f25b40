import { expect, test } from 'vitest'
import { drawPlot, svgMarkup } from '../../../src/research/report/draw-plot.js'
import { barSeries, type Plot } from '../../../src/research/report/plot.js'
import { pageLook } from '../../../src/research/report/plot-option.js'

const dates = ['20251230', '20251231', '20260105', '20260106']
const plot: Plot = { id: 'c', title: 'T <1>', desc: 'D & d', x: { dates }, panels: [] }

/** Boxes drawn in an ink: top and height of each, from `M x y l w 0 l 0 h`. */
function boxes(svg: string, ink: string): { x: number; y: number; height: number }[] {
  const path = new RegExp(
    `<path d="M(-?[\\d.]+) (-?[\\d.]+)l(-?[\\d.]+) 0l0 (-?[\\d.]+)l[^"]*"[^>]*stroke="var\\(--${ink}\\)"`,
    'g',
  )
  return [...svg.matchAll(path)].map(([, x, y, , height]) => ({
    x: Number(x),
    y: Number(y),
    height: Math.abs(Number(height)),
  }))
}

test('bars of one sign stack on each other day by day, though one series has gaps', async () => {
  const series = [barSeries([2, Number.NaN, 2, -2], 'one'), barSeries([1, 1, undefined, -1], 'two', { hollow: true })]
  const { markup } = await drawPlot({
    ...plot,
    panels: [{ name: 'N <n>', height: 100, zero: true, series }],
  })
  const [full = ''] = markup.split('class="at-358"')
  const [one, two] = [boxes(full, 'one'), boxes(full, 'two')]
  expect([one.length, two.length]).toEqual([3, 3])
  const zero = one[0]?.y ?? 0
  expect(two[0]?.y).toBeCloseTo(zero - (one[0]?.height ?? 0), -0.5)
  expect(Math.abs((two[1]?.y ?? 0) - zero)).toBeLessThan(2)
  expect((two[2]?.y ?? 0) - zero).toBeGreaterThan((one[2]?.height ?? 0) - 2)
  expect((one[0]?.height ?? 0) / (two[0]?.height ?? 1)).toBeCloseTo(2, 0)
})

test('a drawing with anything strange in it is refused, and texts may say anything', () => {
  const drawn = (inside: string): string => svgMarkup(`<svg viewBox="0 0 1 1">\n${inside}\n</svg>`, plot, pageLook)
  expect(drawn('<path d="M0 0" id="zr7-c0" class="x" ecmeta_silent="true"></path>')).toContain(
    '<path d="M0 0" id="c-c0"></path>',
  )
  const strange = [
    '<path d="M0 NaN">',
    '<path fill="[object Object]">',
    '<path onclick="x">',
    '<path xlink:href="#a">',
    '<image>',
  ]
  for (const one of [...strange, '<script>', '<path d="MInfinity 0">'])
    expect(() => drawn(one)).toThrow(/the chart 'c' came out wrong/)
  expect(() => svgMarkup('<p></p>', plot, pageLook)).toThrow(/<p>/)
  expect(drawn('<text>NaN https://x [object Object] &lt;b&gt;</text>')).toContain(
    '<text>NaN https://x [object Object] &lt;b&gt;</text>',
  )
})
