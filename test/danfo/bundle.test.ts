import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { danfo } from '../../src/frame/danfo-classes.js'

const options = { dtypes: ['float32', 'float32'], columns: ['a', 'b'], config: { lowMemoryMode: true } }
const frameOf = async (rows: unknown[][]) => new danfo.DataFrame(rows, options)

test('frames compute in double precision', async () => {
  const frame = await frameOf([
    [12345678901.23, 1.1],
    [98765432109.87, 0.1],
  ])
  expect(frame.add(0)?.values).toEqual([
    [12345678901.23, 1.1],
    [98765432109.87, 0.1],
  ])
  expect(frame.gt(12345678901)['a'].values).toEqual([true, true])
  expect(frame.eq(12345678901.99)['a'].values).toEqual([false, false])
  expect(frame.eq(12345678901.23)['a'].values).toEqual([true, false])
  expect(frame.sub([1, 2], { axis: 0 })?.values).toEqual([
    [12345678900.23, 1.1 - 1],
    [98765432107.87, 0.1 - 2],
  ])
  expect(frame.mul(frame)?.values).toEqual([
    [12345678901.23 ** 2, 1.1 ** 2],
    [98765432109.87 ** 2, 0.1 ** 2],
  ])
  expect(frame.diff(1)?.values).toEqual([
    [Number.NaN, Number.NaN],
    [98765432109.87 - 12345678901.23, 0.1 - 1.1],
  ])
})

test('missing is not zero', async () => {
  const frame = await frameOf([
    [null, Number.NaN],
    [2, 4],
  ])
  expect(frame.add(1)?.values).toEqual([
    [Number.NaN, Number.NaN],
    [3, 5],
  ])
  expect(frame.pow(0)?.values).toEqual([
    [Number.NaN, Number.NaN],
    [1, 1],
  ])
  expect(frame.lt(1).values).toEqual([
    [false, false],
    [false, false],
  ])
  expect(frame.pctChange(1)?.values).toEqual([
    [Number.NaN, Number.NaN],
    [Number.NaN, Number.NaN],
  ])
})

test('mean, std, median, mode and describe skip what is missing', async () => {
  const frame = await frameOf([
    [1, Number.NaN],
    [2, 10],
    [Number.NaN, Number.NaN],
    [2, Number.NaN],
    [5, Number.NaN],
  ])
  expect(frame['a'].mean()).toBe(2.5)
  expect(frame['a'].std()).toBe(Math.sqrt(3))
  expect(frame['a'].mode()).toEqual([2])
  expect(frame.median({ axis: 0 }).values).toEqual([2, 10])
  const facts = frame.describe()
  expect(facts.index).toEqual(['count', 'mean', 'std', 'min', 'median', 'max', 'variance'])
  expect(facts['a'].values).toEqual([4, 2.5, Math.sqrt(3), 1, 2, 5, 3])
  expect(facts['b'].values).toEqual([1, 10, Number.NaN, 10, 10, 10, Number.NaN])
})

test('groups, scalers and samples work', async () => {
  const { DataFrame, StandardScaler, MinMaxScaler } = danfo
  const frame = new DataFrame(
    [
      ['x', 1],
      ['y', 5],
      ['x', 3],
    ],
    { columns: ['k', 'v'], dtypes: ['string', 'float32'] },
  )
  const groups = frame.groupby(['k']).agg({ v: 'std' })
  expect(groups.values).toEqual([
    ['x', Math.SQRT2],
    ['y', Number.NaN],
  ])
  const two = await frameOf([
    [1, 10],
    [3, Number.NaN],
    [Number.NaN, 30],
  ])
  expect(new StandardScaler().fitTransform(two).values).toEqual([
    [-1, -1],
    [1, Number.NaN],
    [Number.NaN, 1],
  ])
  expect(new MinMaxScaler().fitTransform(two).values).toEqual([
    [0, 0],
    [1, Number.NaN],
    [Number.NaN, 1],
  ])
  const many = await frameOf(Array.from({ length: 50 }, (_, i) => [i, -i]))
  const [a, b] = [await many.sample(5, { seed: 3 }), await many.sample(5, { seed: 3 })]
  expect(a.values).toEqual(b.values)
  expect(new Set(a.index).size).toBe(5)
})

test('nothing is printed, on import or in use', () => {
  const code = `const d=require('./dist/danfo/danfo.cjs');const f=new d.DataFrame([[1,2],[3,4]]);f.add(1);f.describe();f.std()`
  const output = execFileSync(process.execPath, ['-e', `${code};`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(output).toBe('')
  const errors = execFileSync('sh', ['-c', `"${process.execPath}" -e "${code}" 2>&1 >/dev/null`], { encoding: 'utf8' })
  expect(errors).toBe('')
})

test('the bundle carries the notice of danfo and asks for nothing outside', () => {
  const text = readFileSync('dist/danfo/danfo.cjs', 'utf8')
  expect(text).toContain('Copyright (c) [2020] [danfo.js]')
  const wanted = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name)
  expect(wanted.filter((name) => !['plotly.js-dist-min', 'ajv/dist/runtime/equal'].includes(name ?? ''))).toEqual([])
})
