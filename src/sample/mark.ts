import { below, chosen, fork } from './random.js'

export type Mark = 'ST' | '*ST'

export interface Marks {
  /** Bears a mark at some time. */
  readonly ever: boolean
  readonly on: (date: string, t: number) => Mark | undefined
}

type Span = readonly [from: string, to: string, mark: Mark]

/** Marks of the named stocks: across 2026-07-06, when the limit of ST stocks of a main board rose from 5 to 10 %. */
const named: Readonly<Record<string, readonly Span[]>> = {
  '000725': [
    ['20220101', '20260430', 'ST'],
    ['20260501', '99991231', '*ST'],
  ],
  '600289': [['20220101', '20260612', '*ST']],
  '002569': [['20260601', '99991231', 'ST']],
  '601008': [['20260520', '20260710', 'ST']],
  '002304': [['20260706', '99991231', '*ST']],
  '300015': [['20220101', '99991231', 'ST']],
}

const blockDays = 80

function drawnOn(root: number): Marks['on'] {
  return (_date, t) => {
    const lot = below(fork(fork(root, 'mark'), Math.floor(t / blockDays)), 3)
    return lot === 0 ? undefined : lot === 1 ? 'ST' : '*ST'
  }
}

/** Named spans, or for one stock in 25 a mark drawn for every 80 trading days. Runners bear none. */
export function makeMarks(code: string, place: number, root: number, runner: boolean): Marks {
  const spans = named[code]
  if (spans) return { ever: true, on: (date) => spans.find(([from, to]) => date >= from && date <= to)?.[2] }
  if (runner || place < 40 || !chosen(fork(root, 'marked'), 25)) return { ever: false, on: () => undefined }
  return { ever: true, on: drawnOn(root) }
}
