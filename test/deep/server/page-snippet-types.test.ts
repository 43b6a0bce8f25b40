// Deep: compiles with TypeScript.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import type { ApiCall } from '../../../src/server/service/page/client/api-call.js'
import { typescriptText } from '../../../src/server/service/page/client/snippet.js'
import { examples, extra } from '../../helper/snippet-calls.js'
import { tempProject } from '../../helper/temp.js'

test('every TypeScript text is accepted by the compiler, as a user has the package', () => {
  const dir = tempProject()
  const wrong: ApiCall = { dataset: datasetOf('etf_minute'), params: { period: '5m' }, fields: undefined }
  const files = [...examples(), ...extra, wrong].map((call, i) => {
    writeFileSync(join(dir, `call${i}.mts`), typescriptText(call, 'http://127.0.0.1:8080'))
    return `call${i}.mts`
  })
  const flags = '--noEmit --strict --target es2022 --lib es2022 --module nodenext --types node --skipLibCheck'
  const compiler = [join(process.cwd(), 'node_modules/typescript/bin/tsc'), ...flags.split(' '), ...files]
  let said = ''
  try {
    execFileSync(process.execPath, compiler, { cwd: dir, encoding: 'utf8' })
  } catch (error) {
    said = (error as { stdout: string }).stdout
  }
  const lines = said.split('\n').filter((line) => line.includes('error'))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(new RegExp(`^${files.at(-1)}.*5m`))
})
