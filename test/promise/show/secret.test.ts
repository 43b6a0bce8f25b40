import { inspect } from 'node:util'
import { show, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { tableOfColumns as tableOf } from '../helper/rows.js'

const share = { url: ['https://x'], password: ['hunter2'] }
const table = tableOf(share, {}, { dataset: 'file_download' })

test.each([
  ['a table of the share', table],
  ['a table that does not know what it is', tableOf(share)],
  ['a frame', toDataFrame(table)],
])('%s shows its password nowhere', (_, data) => {
  const forms = [show(data).text(), show(data).html(), String(show(data)), inspect(data), inspect(show(data))]
  if (data !== table && 'print' in data) forms.push(String(data))
  for (const form of forms) {
    expect(form).not.toContain('hunter2')
    expect(form).toContain('••••••')
    expect(form).toContain('https://x')
  }
})

test('a column of a frame that is a password is hidden as a series too', () => {
  expect(inspect(toDataFrame(table).column('password'))).not.toContain('hunter2')
})

test('a missing password is missing', () => {
  expect(show(tableOf({ password: [null] })).text()).toContain('·')
})
