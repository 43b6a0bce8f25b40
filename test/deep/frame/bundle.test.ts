/* Deep: runs the bundle in processes of its own. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

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
