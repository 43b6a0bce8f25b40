// Deep: what quotebook factor refuses, a process each.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quotebook } from '../../promise/helper/command.js'
import { folder, removeFolders } from '../../promise/helper/files.js'

removeFolders()
const dir = folder()
const file = join(dir, 'low.mjs')
writeFileSync(
  file,
  "export default { data: { dataset: 'convertible_daily' }, score: (bond) => bond.close, pick: { n: 5, side: 'lowest' } }\n",
)

test('refuses what is typed wrong, with the nearest right name', () => {
  const told = (...words: string[]) => quotebook(['factor', ...words]).err
  expect(told('convertible_daily.cb_over_rat')).toMatch(/did you mean 'cb_over_rate'\?/)
  expect(told('convertible_dail.close')).toMatch(/did you mean 'convertible_daily'\?/i)
  expect(told('cb_over_rate')).toMatch(/'cb_over_rate' is no file; a column is named with its dataset/)
  expect(told('convertible_daily.close', '--horizons', '1,x')).toMatch(/--horizons takes 1,5,20/)
  expect(told('convertible_daily.close', '--by', 'clos')).toMatch(/did you mean 'close'\?/)
  expect(told('convertible_daily.close', '--from', '20260728')).toMatch(/no time has five names/)
  const weights = join(dir, 'weights.mjs')
  writeFileSync(weights, "export default { data: { dataset: 'convertible_daily' }, weights: () => ({}) }")
  expect(told(weights)).toMatch(/weights\.mjs: a factor is a score, and this strategy has none/)
  expect(told(file, '--param', 'v=1')).toMatch(/nothing reads the param 'v'/)
})
