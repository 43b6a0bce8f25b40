/* Deep: runs the bundle in processes of its own, with the collector at hand. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

/** What a script prints, run on the bundle with the collector at hand; every `await turn()` lets go of what was looked at. */
function collected(script: string): unknown {
  const bundle = JSON.stringify(resolve('dist/danfo/danfo.cjs'))
  const head = `const { DataFrame, Series, getColumns } = require(${bundle})
    const turn = async () => { for (let i = 0; i < 5; i++) { await new Promise(setImmediate); gc() } }
    const frameOf = () => new DataFrame({ a: Array.from({ length: 1000 }, (_, i) => i), t: Array.from({ length: 1000 }, (_, i) => 't' + i) })
    const firstOf = (frame) => frame.column('a').values[0]`
  const code = `${head}\n;(async () => { ${script} })().then((found) => console.log(JSON.stringify(found)))`
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', '-e', code], { encoding: 'utf8' }))
}

test('what is written to rows long after they were asked for, and let go, is taken over', () => {
  const script = `const frame = frameOf()
    let rows = frame.values
    getColumns(frame)
    await turn()
    rows[0][0] = 77
    rows[1] = [78, 'other']
    rows = undefined
    await turn()
    return [frame.column('a').values.slice(0, 2), frame.column('t').values[1]]`
  expect(collected(script)).toEqual([[77, 78], 'other'])
})

test('rows that were written to and let go are taken over before they are freed', () => {
  const script = `const frame = frameOf()
    frame.values[0][0] = 77
    await turn()
    const first = firstOf(frame)
    let rows = frame.values
    getColumns(frame)
    await turn()
    frame.values[0][0] = 78
    rows = undefined
    await turn()
    const series = frame.column('a')
    series.values[1] = 79
    await turn()
    return [first, firstOf(frame), series.values[1], frame.values[1][0]]`
  expect(collected(script)).toEqual([77, 78, 79, 1])
})

test('a row that is kept alone is still the row of its frame', () => {
  const script = `const frame = frameOf()
    const row = frame.values[0]
    getColumns(frame)
    await turn()
    row[0] = 77
    const first = firstOf(frame)
    await turn()
    row[0] = 78
    return [first, firstOf(frame), frame.values[0] === row]`
  expect(collected(script)).toEqual([77, 78, true])
})

test('rows that no longer fit are refused after a collection, too', () => {
  const script = `const frame = frameOf()
    frame.values.pop()
    const refusals = []
    for (let time = 0; time < 3; time++) {
      try { firstOf(frame) } catch (error) { refusals.push(error.code) }
      await turn()
    }
    return refusals`
  expect(collected(script)).toEqual(['INVALID_VALUE', 'INVALID_VALUE', 'INVALID_VALUE'])
})
