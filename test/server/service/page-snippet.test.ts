import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import { datasetOf, datasets } from '../../../src/contract/catalogue.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { type ApiCall, requestBody } from '../../../src/server/service/page/client/api-call.js'
import { toParams, toValues } from '../../../src/server/service/page/client/form-values.js'
import { bodyText, curlText, typescriptText } from '../../../src/server/service/page/client/snippet.js'
import { type Service, serve } from '../../helper/service.js'
import { tempDir } from '../../helper/temp.js'

const all = datasets as readonly Dataset[]
const nasty = `it's "quoted" \\ $HOME \`id\` \n\u2028 %s 中文`

function examples(): ApiCall[] {
  return all.flatMap((dataset) => {
    const params = toParams(dataset, toValues(dataset.example))
    const whole: ApiCall = { dataset, params, fields: undefined }
    const some = Object.keys(dataset.columns).filter((name) => dataset.columns[name]?.mode !== 'history')
    return dataset.noFields ? [whole] : [whole, { ...whole, fields: some.slice(0, 2) }]
  })
}

const extra: ApiCall[] = [
  { dataset: datasetOf('news'), params: {}, fields: undefined },
  { dataset: datasetOf('news'), params: {}, fields: ['title'] },
  { dataset: datasetOf('news'), params: { keyword: nasty }, fields: undefined },
  { dataset: datasetOf('southbound_top10'), params: { market_type: '2,4' }, fields: undefined },
  {
    dataset: datasetOf('etf_minute'),
    params: { symbols: Array.from({ length: 40 }, (_, i) => `${510300 + i}.SH`) },
    fields: undefined,
  },
]

let service: Service
beforeAll(async () => {
  const archive = new Archive(sampleDir, 'sample')
  service = await serve(archive, undefined, await archive.state())
})
afterAll(() => service?.close())

test('every TypeScript text is accepted by the compiler, as a user has the package', () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(process.cwd(), join(dir, 'node_modules/quotebook'))
  symlinkSync(join(process.cwd(), 'node_modules/@types'), join(dir, 'node_modules/@types'))
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

test('the curl text, run by a shell, sends exactly the body that it shows', async () => {
  for (const call of [...examples(), ...extra]) {
    const before = service.requests.length
    const { stdout } = await promisify(execFile)('sh', ['-c', curlText(call, service.url)], { maxBuffer: 2 ** 26 })
    expect(service.requests.length).toBe(before + 1)
    expect(service.requests.at(-1)).toEqual(requestBody(call, '<API_KEY>'))
    expect(JSON.parse(bodyText(call))).toEqual(requestBody(call, '<API_KEY>'))
    expect(JSON.parse(bodyText(call, '', 'any'))).toEqual(requestBody(call, 'any'))
    expect(typescriptText(call, service.url, 'any')).toContain("apikey: 'any'")
    expect([200, 1002, 422]).toContain(JSON.parse(stdout).code)
  }
})
