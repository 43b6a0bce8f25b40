import { promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, test, vi } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { digest } from '../../../../src/frame/table/digest.js'
import { provenance } from '../../../../src/frame/table/provenance.js'
import { treeOf } from '../../../helper/temp.js'
import { stand } from './growing.js'

const bond = datasetOf('convertible_daily')
const whole = { whole: true }
const month = { startdate: '20260601', enddate: '20260710' }

test('an answer is given, and said not to be kept, when the disk can not be written', async () => {
  const code = 'EROFS'
  const own = await stand('20260715')
  await own.kept.query(bond, { startdate: '20260706', enddate: '20260707' }, whole)
  const before = treeOf(own.dir)
  const { open } = promises
  const failing = vi.spyOn(promises, 'open').mockImplementation(async (path, flags, ...rest) => {
    if (String(path).endsWith('.part')) throw Object.assign(new Error(`${code}: no way, open '${path}'`), { code })
    return open(path, flags, ...rest)
  })
  syncBuiltinESMExports()
  try {
    const truth = digest(await own.plain.query(bond, month, whole))
    const table = await own.kept.query(bond, month, whole)
    expect(digest(table)).toBe(truth)
    expect(provenance(table)).toMatchObject({ complete: true, note: expect.stringMatching(`not kept: .*${code}`) })
    expect(treeOf(own.dir)).toEqual(before)
  } finally {
    failing.mockRestore()
    syncBuiltinESMExports()
  }
  expect(provenance(await own.kept.query(bond, month, whole))?.note).toBeUndefined()
  expect(await own.sentBy(() => own.kept.query(bond, month, whole))).toEqual([])
})
