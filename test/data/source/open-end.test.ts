import { expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { HttpSource } from '../../../src/data/source/http-source.js'
import { provenance } from '../../../src/frame/table/provenance.js'
import { serve } from '../../helper/service.js'

test('months after the last day of a service, a range without an end is whole, and one with an end is not', async () => {
  const archive = new Archive(sampleDir, 'sample')
  const service = await serve(archive, undefined, await archive.state())
  const http = new HttpSource({ nodes: [service.url], apikey: 'end-key', time: () => Date.UTC(2026, 10, 22) })
  const bond = datasetOf('convertible_daily')
  for (const source of [archive, http]) {
    const open = provenance(await source.query(bond, { startdate: '20260506' }, { whole: true }))
    expect([open?.complete, open?.rows]).toEqual([true, 1194])
    const closed = await source.query(bond, { startdate: '20260506', enddate: '20261120' }, { whole: true })
    expect(provenance(closed)).toMatchObject({ complete: false, note: expect.stringContaining('20260730') })
  }
  await http.close()
  await service.close()
})
