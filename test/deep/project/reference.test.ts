// Deep: builds the whole reference.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as door from '../../../src/index.js'
import { tempDir } from '../../helper/temp.js'

test('the reference has a page for every public name, and every public name is documented', () => {
  const out = join(tempDir(), 'api')
  const typedoc = 'node_modules/typedoc/bin/typedoc'
  const ran = spawnSync(process.execPath, [typedoc, '--out', out], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  expect(ran.status, ran.stderr).toBe(0)
  expect(
    (ran.stdout + ran.stderr)
      .split('\n')
      .filter((line) => /(?<!\(TypeParameter\), .*)does not have any documentation|\[error\]/.test(line)),
  ).toEqual([])
  const pages = readdirSync(out, { recursive: true }).map(String)
  const documented = new Set(pages.flatMap((page) => /(\w+)\.html$/.exec(page)?.[1] ?? []))
  const lists = [...readFileSync('src/index.ts', 'utf8').matchAll(/export (?:type )?\{([^}]*)\} from '\.\//g)]
  const names = lists.flatMap(([, list = '']) => list.split(',').map((name) => name.trim().replace(/^type /, '')))
  const exported = names.filter(Boolean)
  expect(exported).toEqual(expect.arrayContaining(Object.keys(door)))
  expect(exported.filter((name) => !documented.has(name))).toEqual([])
})
