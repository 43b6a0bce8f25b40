export type CheckName = 'vwap' | 'anomaly' | 'southbound' | 'premium'

export interface Meaning {
  /** sound: confirmed. open: neither confirmed nor contradicted. wrong: contradicted. */
  readonly grade: 'sound' | 'open' | 'wrong'
  readonly text: string
}

const sound = (text: string): Meaning => ({ grade: 'sound', text })
const open = (text: string): Meaning => ({ grade: 'open', text })
const wrong = (text: string): Meaning => ({ grade: 'wrong', text })

/** A row of `equal` that has no number on either side; told apart from the others in what is shown. */
export const bothMissing = 'equal, both missing'

const meanings: Readonly<Record<CheckName, Readonly<Record<string, Meaning>>>> = {
  vwap: {
    equal: sound('The number sent is the number recomputed, to the last decimal.'),
    [bothMissing]: open('No number was sent and none can be recomputed, before the first trade. Nothing is compared.'),
    computed: open('No number was sent; ours stands alone.'),
    'lot-bound': open('Differs, by no more than volumes rounded to whole lots can explain.'),
    unverifiable: open('A missing turnover, volume or bar leaves the sums unknown; or the day was not backfilled.'),
    'null-rule': wrong('Missing where a value is due, or a value before the first trade.'),
    mismatch: wrong('Differs, and rounding does not explain it.'),
  },
  anomaly: {
    sound: sound('Nothing in the row, or in the rows beside it, contradicts it.'),
    suspect: open(
      'Stocks of one board should imply one index return, and this one implies another; a suspension can explain it.',
    ),
    unverifiable: open('The rule is not understood, or its board or threshold is not known; the rest was checked.'),
    inconsistent: wrong('Rows contradict each other.'),
    broken: wrong('The row contradicts itself or the rules.'),
  },
  southbound: {
    equal: sound('Every sum in the row is the sum of its parts.'),
    unverifiable: open('The row has no number of either channel.'),
    'double-count': wrong(
      'amount counts one channel twice, as published rows are known to do. The flows of this report are taken from buys and sells and do not use it.',
    ),
    'null-rule': wrong('A number is missing where one is due, or stands where none can be.'),
    mismatch: wrong('A sum is not the sum of its parts, or two rows of a stock differ.'),
  },
  premium: {
    equal: sound('The premium sent is the premium recomputed, to the last decimal.'),
    'within-rounding': sound('Differs, by no more than the rounding of the published value and premium must give.'),
    unverifiable: open('Close or value is missing, so nothing can be recomputed.'),
    'null-rule': open('No premium was sent, though close and value are there; the latest quotes may lack it.'),
    mismatch: wrong('Differs, and rounding does not explain it.'),
  },
}

/** What a verdict means, in plain words. One that is not known here counts as open. */
export function meaningOf(check: CheckName, verdict: string): Meaning {
  const known = meanings[check]
  return (Object.hasOwn(known, verdict) ? known[verdict] : undefined) ?? open('')
}

/** What it means, check by check, that a row is confirmed. */
export const confirmedAs: Readonly<Record<CheckName, string>> = {
  vwap: 'recomputed to the same number',
  anomaly: 'without contradiction',
  southbound: 'without contradiction',
  premium: 'recomputed to the same number, within the rounding of the published ones',
}

/** Rows that a check confirmed. */
export function confirmed(check: CheckName, counts: Readonly<Record<string, number>>): number {
  return Object.entries(counts).reduce(
    (sum, [verdict, rows]) => sum + (meaningOf(check, verdict).grade === 'sound' ? rows : 0),
    0,
  )
}
