import type { Dataset } from '../dataset.js'

export const hotLists = [
  'ths&normal',
  'ths&skyrocket',
  'ths&tech',
  'ths&value',
  'ths&trend',
  'xq&biaos',
  'xq&repin',
  'xq&zixuan',
  'xq&zuhe',
  'xq&resou',
  'tdx&resou',
  'tdx&biaos',
  'tdx&zuori',
  'dfcf&biaos',
  'dfcf&renqi',
] as const

export const hotstock = {
  name: 'hotstock',
  title: 'Hot-search stock lists',
  about: 'Fifteen hot lists of four providers: the latest one, or the list of a past day.',
  shape: 'rows',
  columns: {
    s: { kind: 'code', spelling: 'bare', meaning: 'Stock code, 6 digits.' },
    n: { kind: 'label', nullable: true, mode: 'latest', meaning: 'Name of the stock.' },
    pc: { kind: 'number', unit: 'percent', nullable: true, mode: 'latest', meaning: 'Change of the price.' },
    rank: { kind: 'integer', mode: 'history', meaning: 'Place in the list, from 1.' },
    tradedate: { kind: 'date', mode: 'history', meaning: 'Day of the list.' },
    type: { kind: 'label', values: hotLists, mode: 'history', meaning: 'The list that was asked for.' },
  },
  key: ['type', 'tradedate', 'rank'],
  list: { of: ['type', 'tradedate'], match: ['type', 'tradedate', 's'] },
  order: ['rank'],
  params: {
    type: {
      kind: 'choice',
      role: 'own',
      required: true,
      values: hotLists,
      columns: ['type'],
      meaning: 'The list; the part before `&` names its provider (ths, xq, tdx, dfcf).',
    },
    tradedate: {
      kind: 'date',
      role: 'own',
      meaning: 'Absent: the latest list (s, n, pc). Present: the list of that day (s, rank, tradedate, type).',
    },
  },
  needsParams: true,
  limit: { kind: 'none' },
  knownAt: { day: 'tradedate', at: '15:00:00', note: 'the list of a day is final after its close' },
  day: 'tradedate',
  everyTradingDay: true,
  partition: 'month',
  nodes: 'intraday',
  rules: [
    'Without `tradedate` (latest mode) the columns are s, n, pc; with it (history mode) s, rank, tradedate, type.',
    'A column of the other mode is refused.',
  ],
  example: { type: 'ths&normal' },
} as const satisfies Dataset
