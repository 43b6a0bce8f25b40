import { datasetOf, datasets } from '../../src/contract/catalogue.js'
import type { Dataset } from '../../src/contract/dataset.js'
import type { ApiCall } from '../../src/server/service/page/client/api-call.js'
import { toParams, toValues } from '../../src/server/service/page/client/form-values.js'

/** What the test page may ask for: the example of each dataset, whole and with fields, and what is awkward to write down. */

const all = datasets as readonly Dataset[]
const nasty = `it's "quoted" \\ $HOME \`id\` \n\u2028 %s 中文`

export function examples(): ApiCall[] {
  return all.flatMap((dataset) => {
    const params = toParams(dataset, toValues(dataset.example))
    const whole: ApiCall = { dataset, params, fields: undefined }
    const some = Object.keys(dataset.columns).filter((name) => dataset.columns[name]?.mode !== 'history')
    return dataset.noFields ? [whole] : [whole, { ...whole, fields: some.slice(0, 2) }]
  })
}

export const extra: ApiCall[] = [
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
