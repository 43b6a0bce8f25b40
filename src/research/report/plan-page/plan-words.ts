import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'

/** What the tables of a plan, their columns and the words in their cells are called. */
// biome-ignore format: a table
export const planWords = {
  orders: (say) => say('Orders'),
  untraded: (say) => say('What is wanted and not ordered'),
  holdings: (say) => say('Holdings at the close'),
  unknown: (say) => say('Holdings that the data does not have: left alone, not counted'),
  fills: (say) => say('Fills of the last day'),
  rejected: (say) => say('Refused on the last day'),
  events: (say) => say('Ex-rights and ends of the last day'),
  changes: (say) => say('Days that would be other with the data as it is now; nothing was rewritten'),
  real: (say) => say('Paper against real'),
  unequal: (say) => say('Holdings that do not add up; they are listed, not mended'),
  day: (say) => say('day'), symbol: (say) => say('code'), name: (say) => say('name'),
  side: (say) => say(fact('PLAN_WORDS', 'side')), shares: (say) => say(fact('PLAN_WORDS', 'quantity')), lots: (say) => say('lots'),
  lastClose: (say) => say('last close'), limitDown: (say) => say('limit down'),
  limitUp: (say) => say('limit up'), limit: (say) => say('own limit'), value: (say) => say(fact('PLAN_WORDS', 'value')),
  reason: (say) => say('why'), rank: (say) => say('rank'), score: (say) => say('score'),
  weight: (say) => say('weight'), notes: (say) => say('note'), wanted: (say) => say('wanted'),
  ordered: (say) => say('ordered'), price: (say) => say('price'), amount: (say) => say(fact('PLAN_WORDS', 'amount')),
  commission: (say) => say('commission'), filled: (say) => say('filled'),
  event: (say) => say('event'), before: (say) => say('before'), after: (say) => say('after'),
  cash: (say) => say(fact('PLAN_WORDS', 'cash')), equity: (say) => say('equity'), what: (say) => say('what'),
  was: (say) => say('was'), now: (say) => say('now'), paper: (say) => say('paper'),
  paperPrice: (say) => say('paper price'), realShares: (say) => say('real'),
  realPrice: (say) => say('real price'), slippage: (say) => say('slippage'),
  told: (say) => say('broker'), buy: (say) => say('buy'), sell: (say) => say('sell'),
  enter: (say) => say('new'), more: (say) => say('more'), less: (say) => say('less'),
  leave: (say) => say('leaves'), own: (say) => say('own order'),
  suspended: (say) => say('suspended'), 'limit-up': (say) => say('closed at its limit up'),
  'limit-down': (say) => say('closed at its limit down'), ends: (say) => say('end is known'),
  'beyond-limit': (say) => say('own limit beyond the day’s limits'),
  'missing-value': (say) => say('a value that decides is missing'),
  delisted: (say) => say('has ended'), 'not-listed': (say) => say('not listed'),
  lot: (say) => say('less than a lot'), gap: (say) => say('stopped at a gap'),
  volume: (say) => say(fact('PLAN_WORDS', 'volume')), 'not-held': (say) => say('not held'),
  'T+1': (say) => say('bought today'), fill: (say) => say('fill'),
  decision: (say) => say('decision'), 'ex-rights': (say) => say(fact('PLAN_WORDS', 'ex-rights')),
  end: (say) => say('end'), stopped: (say) => say('stopped'),
} as const satisfies Readonly<Record<string, (say: Say) => string>>

export type PlanWord = keyof typeof planWords

/** A word of a cell; one that is not known stands for itself. */
export function planWordIn(word: string, say: Say): string {
  return Object.hasOwn(planWords, word) ? planWords[word as PlanWord](say) : word
}
