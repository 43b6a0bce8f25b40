import type { Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { bucketCloses } from '../../../contract/session.js'
import type { Text } from '../../../frame/table/values.js'
import { wordsOfCodes } from './row-conditions.js'
import { eachRun, joinSlices, type RowSlice, wholeSlice } from './row-slices.js'

/** Which closes the codes of some rows have: by the number of the code's word, a bit for each close. */
function closesByCode(slice: RowSlice, closes: readonly string[]): Int32Array {
  const [codes, minutes] = ['symbol', 'trademin'].map((name) => slice.columns.columns.get(name) as Text) as [Text, Text]
  const bits = Int32Array.from(minutes.dictionary, (minute) => (1 << closes.indexOf(minute)) & ~(1 << 31))
  const found = new Int32Array(codes.dictionary.length)
  eachRun(slice, (from, to) => {
    for (let row = from; row < to; row++) {
      const code = codes.data[row] as number
      const minute = minutes.data[row] as number
      if (code >= 0 && minute >= 0) found[code] = (found[code] as number) | (bits[minute] as number)
    }
  })
  return found
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}

/** What the bars of a day lack: a bucket of a code that the query names, or the last bucket of the day. */
export function missingBars(
  dataset: Dataset,
  { symbols, trademin, period = '30m' }: Query,
  slices: readonly RowSlice[],
  day: string,
  allBars: boolean,
): Words | undefined {
  const [only, ...more] = slices
  const slice = only && more.length === 0 ? only : wholeSlice(joinSlices(dataset, slices, ['symbol', 'trademin']))
  const wanted = trademin === undefined ? bucketCloses[period as '15m' | '30m'] : [String(trademin)]
  const found = closesByCode(slice, wanted)
  if (!Array.isArray(symbols)) {
    const present = found.reduce((all, own) => all | own, 0)
    const absent = (allBars ? wanted : wanted.slice(-1)).find((close) => ((present >> wanted.indexOf(close)) & 1) === 0)
    return absent === undefined ? undefined : sentence`the bars of ${day} lack the bucket ${absent}`
  }
  for (const symbol of symbols as readonly string[]) {
    const words = wordsOfCodes(slice.columns, 'symbol', [symbol])
    const count = countBits(words.reduce((all, word) => all | (found[word] as number), 0))
    if (count < wanted.length) return sentence`${symbol} has ${count} of ${wanted.length} bars on ${day}`
  }
  return undefined
}
