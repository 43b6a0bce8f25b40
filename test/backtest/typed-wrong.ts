/** What people type wrong in a strategy, as JavaScript, and what they are told; the place of the fault is left out. */
export const typedWrong: readonly (readonly [typed: string, told: string])[] = [
  [
    '{ score: (b) => b.close + b.premium, pick }',
    "MISSING_COLUMN: the panel has no column 'premium'; it has open, close, pre_close, vol",
  ],
  ['{ score: (b) => b.closse, pick }', "MISSING_COLUMN: the panel has no column 'closse'; did you mean 'close'?"],
  [
    '{ score: ({ close, preclose }) => close / preclose, pick }',
    "MISSING_COLUMN: the panel has no column 'preclose'; did you mean 'pre_close'?",
  ],
  [
    '{ score: (b) => (b.held ? b.premium : b.close), pick }',
    "MISSING_COLUMN: the panel has no column 'premium'; it has open, close, pre_close, vol",
  ],
  [
    '{ score: (b) => b.listeddays, pick }',
    "MISSING_COLUMN: the panel has no column 'listeddays'; did you mean 'listedDays'?",
  ],
  [
    "{ score: (b) => b.lag('clsoe', 1), pick }",
    "MISSING_COLUMN: the panel has no column 'clsoe'; did you mean 'close'?",
  ],
  [
    "{ score: (b) => b.mean('volume', 3), pick }",
    "MISSING_COLUMN: the panel has no column 'volume'; it has open, close, pre_close, vol",
  ],
  [
    '{ universe: (b) => b.premium < 30, score: (b) => b.close, pick }',
    "MISSING_COLUMN: the panel has no column 'premium'; it has open, close, pre_close, vol",
  ],
  [
    '{ universe: (b) => { b.vol > 0 }, score: (b) => b.close, pick }',
    'USAGE: strategy: universe gives true or false; it gave undefined: is a return missing?',
  ],
  [
    '{ universe: async (b) => b.vol > 0, score: (b) => b.close, pick }',
    'USAGE: strategy: universe gives true or false; it gave a Promise: no function of a strategy is async',
  ],
  [
    '{ score: (b) => { b.close }, pick }',
    'NO_DECISION: strategy: no candidate in any of 5 decisions: the score is undefined for each of 10 candidates: is a return missing?; it read close, each of which has values',
  ],
  [
    '{ score: async (b) => b.close, pick }',
    'USAGE: strategy: score gives a number, or NaN for no candidate; it gave a Promise: no function of a strategy is async',
  ],
  [
    '{ score: (b) => b.close.toFixed(2), pick }',
    "USAGE: strategy: score gives a number, or NaN for no candidate; it gave '10.00'",
  ],
  [
    '{ score: (b) => Math.log(-b.close), pick }',
    'NO_DECISION: strategy: no candidate in any of 5 decisions: the score is NaN for each of 10 candidates; it read close, each of which has values',
  ],
  [
    '{ universe: (b) => b.close > 1e6, score: (b) => b.close, pick }',
    'NO_DECISION: strategy: no candidate in any of 5 decisions: universe takes none of 10 rows; it read close, each of which has values',
  ],
  [
    "{ score: (b) => b.close, pick, when: { days: ['20250102'] } }",
    'NO_DECISION: strategy: it never decides: when {"days":["20250102"]} has no time in the panel (5 days, 20260701 to 20260707)',
  ],
  [
    '{ score: (b) => b.close, pick, weight: () => 0 }',
    'NO_DECISION: strategy: no candidate in any of 5 decisions: 10 have a score, and weight gives each of them 0; it read close, each of which has values',
  ],
  [
    "{ score: (b) => b.close, pick, weight: () => '0.5' }",
    "USAGE: strategy: a weight is '0.5'; weights are shares of the account, at least 0",
  ],
  [
    "{ weights: () => ({ '123001.SZ': 0.8, '123002.SZ': 0.3 }) }",
    'USAGE: strategy: the weights are 1.1 together, more than the account',
  ],
  [
    "{ weights: () => ({ '123001.SH': 0.8 }) }",
    "USAGE: strategy: a weight for 123001.SH, which the panel does not have; did you mean '123001.SZ'?",
  ],
  [
    "{ weights: () => ({ '123001': 0.8 }) }",
    "USAGE: strategy: a weight for 123001, which the panel does not have; did you mean '123001.SZ'?",
  ],
  [
    "{ weights: () => new Map([['123001.SZ', -0.1]]) }",
    'USAGE: strategy: the weight of 123001.SZ is -0.1; weights are shares of the account, at least 0',
  ],
  [
    '{ weights: () => [0.5, 0.5] }',
    "USAGE: strategy: weights returns shares of the account by code, such as { '123124.SZ': 0.8 } or a Map, or fills the array that it is given and returns nothing; it gave an array",
  ],
  [
    "{ weights: async () => ({ '123001.SZ': 0.8 }) }",
    "USAGE: strategy: weights returns shares of the account by code, such as { '123124.SZ': 0.8 } or a Map, or fills the array that it is given and returns nothing; it gave a Promise: no function of a strategy is async",
  ],
  [
    "{ weights: (now, w) => { w[0] = 0.1; return { '123002.SZ': 0.8 } } }",
    'USAGE: strategy: weights has filled the array and returned shares by code as well; do one of them',
  ],
  [
    "{ weights: (now, w) => { 'use strict'; w['123001.SZ'] = 0.8 } }",
    "USAGE: strategy: weights['123001.SZ'] is set, and the array goes by the place in symbols; or return { '123001.SZ': share }",
  ],
  [
    '{ weights: (now, w) => { now.premium.forEach((p, at) => { w[at] = p }) } }',
    "MISSING_COLUMN: the panel has no column 'premium'; it has open, close, pre_close, vol",
  ],
  [
    "{ weights: (now, w) => { w[now.symbols.indexOf('600000.SH')] = 1 } }",
    'NO_DECISION: strategy: no weight in any of 5 decisions: 2 instruments; it read no column',
  ],
  ['{ orders: () => [] }', 'NO_DECISION: strategy: no order in any of 5 decisions: 2 instruments; it read no column'],
  [
    "{ orders: () => [{ symbol: '123001.SZ', side: 'buy', shares: 10, price: 9 }] }",
    "USAGE: strategy: no 'price' in an order; it takes symbol, side, shares, limit, at",
  ],
  [
    "{ orders: (now) => [{ symbol: '12300.SZ', side: 'buy', shares: 10 }] }",
    "USAGE: strategy: an order for 12300.SZ, which the panel does not have; did you mean '123001.SZ'?",
  ],
  [
    '{ orders: (now) => now.volume.map(() => 1) }',
    "MISSING_COLUMN: the panel has no column 'volume'; it has open, close, pre_close, vol",
  ],
  [
    '{ prepare: (panel) => ({ score: (b) => panel.cols.premium?.[b.index] ?? NaN, pick }) }',
    "MISSING_COLUMN: the panel has no column 'premium'; it has open, close, pre_close, vol",
  ],
  [
    '{ prepare: (panel) => { const c = panel.close; return { score: () => c, pick } } }',
    "USAGE: strategy: a panel has no 'close'; did you mean 'cols.close'?",
  ],
  [
    '{ prepare: (panel) => ({ score: (b) => b.close, pick }), when: { weekly: 1 } }',
    "USAGE: a strategy with prepare has no option 'when'; it takes prepare",
  ],
  [
    '{ prepare: async () => ({ score: (b) => b.close, pick }) }',
    'USAGE: strategy: an object with score, weights or orders, or a function, not a Promise: no function of a strategy is async',
  ],
  [
    '{ weights: (now, w) => { w[0] = 1 }, universe: (b) => b.vol > 0 }',
    "USAGE: strategy: 'universe' has no part in a strategy with weights; it takes weights, when",
  ],
  [
    '{ score: (b) => b.lag.close.x, pick }',
    "STRATEGY: strategy: Cannot read properties of undefined (reading 'x') (on 20260701 for 123001.SZ)",
  ],
]
