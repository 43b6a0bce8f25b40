import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { requestBody } from '../../../src/server/service/page/client/api-call.js'
import { bodyText, curlText, typescriptText } from '../../../src/server/service/page/client/snippet.js'
import { type Service, serve } from '../../helper/service.js'
import { examples, extra } from '../../helper/snippet-calls.js'

let service: Service
beforeAll(async () => {
  const archive = new Archive(sampleDir, 'sample')
  service = await serve(archive, undefined, await archive.state())
})
afterAll(() => service?.close())

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
