import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import type { CheckResult } from '../../../src/checks/check.js'
import { checkAnnouncements } from '../../../src/checks/dataset/check-announcements.js'
import { checkConvertibleDaily } from '../../../src/checks/dataset/check-convertible-daily.js'
import { checkFinancing } from '../../../src/checks/dataset/check-financing.js'
import { checkHotLists } from '../../../src/checks/dataset/check-hot-lists.js'
import { checkMembers } from '../../../src/checks/dataset/check-members.js'
import { checkNews } from '../../../src/checks/dataset/check-news.js'
import { checkQa } from '../../../src/checks/dataset/check-qa.js'
import { checkStList, stTransitions } from '../../../src/checks/dataset/check-st-list.js'

import { checkThemeDaily } from '../../../src/checks/dataset/check-theme-daily.js'
import { checkThemeDetail } from '../../../src/checks/dataset/check-theme-detail.js'
import { checkTickShare } from '../../../src/checks/dataset/check-tick-share.js'
import type { DatasetName } from '../../../src/contract/catalogue.js'
import type { DataFrame } from '../../../src/frame/danfo-types.js'
import { objectsOf } from '../../../src/frame/read-columns.js'
import { toDataFrame } from '../../../src/frame/to-data-frame.js'
import { sampleOf } from './sample-tables.js'

type CheckOf = (input: Table | DataFrame) => CheckResult<string>

const checks: Readonly<Partial<Record<DatasetName, CheckOf>>> = {
  transfer_financing: checkFinancing,
  convertible_daily: checkConvertibleDaily,
  theme_daily: checkThemeDaily,
  st: checkStList,
  hotstock: checkHotLists,
  thememembers_jx: checkMembers,
  theme_lib_detail_kp: checkThemeDetail,
  finance_announcement: checkAnnouncements,
  interactive_qa: (input) => checkQa(input, { whole: true }),
  news: checkNews,
  file_download: checkTickShare,
}

test.each(Object.entries(checks) as [DatasetName, CheckOf][])(
  '%s: a DataFrame gives what its table gives',
  async (name, check) => {
    const [table] = await sampleOf(name)
    if (!table) throw new Error('no sample')
    const [of, same] = [check(table), check(toDataFrame(table))]
    expect(same.counts).toEqual(of.counts)
    expect(objectsOf(same.worst)).toEqual(objectsOf(of.worst))
  },
)

test('transitions of a DataFrame', async () => {
  const [table] = await sampleOf('st')
  if (!table) throw new Error('no sample')
  expect(objectsOf(stTransitions(toDataFrame(table)))).toEqual(objectsOf(stTransitions(table)))
})
