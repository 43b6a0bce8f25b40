import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jsonObject } from '../../src/cli/command-options.js'
import { readNotebook } from '../../src/cli/notebook/read-notebook.js'
import { parseManifest } from '../../src/data/archive/manifest.js'
import { parseBody } from '../../src/server/service/api-request.js'
import { tempFile } from '../helper/temp.js'

test('the mark that editors put before JSON is no part of it, of whatever file or body', () => {
  const marked = '\ufeff{"apiname":"st"}'
  expect(parseBody(Buffer.from(marked))).toEqual({ apiname: 'st' })
  expect(jsonObject(marked)).toEqual({ apiname: 'st' })
  expect(() => parseManifest(marked, join('own', 'manifest.json'))).not.toThrow('is not JSON')
  const notebook = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [] }
  expect(() => readNotebook(tempFile('own.ipynb', `\ufeff${JSON.stringify(notebook)}`))).not.toThrow()
})
