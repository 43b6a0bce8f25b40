/** The subjects by which the operations are grouped where they are offered, in that order. */
export const subjects = {
  quotes: 'Bars and quotes',
  risk: 'Capital and risk',
  lists: 'Themes and lists',
  documents: 'News and documents',
  files: 'Files',
  own: 'Of your own',
} as const

export type Subject = keyof typeof subjects

/** A dataset of somebody's own in Chinese. */
export interface ChineseLabels {
  readonly title: string
  readonly about: string
  /** One for each rule of the dataset, in its order. */
  readonly rules: readonly string[]
  /** What its columns and params mean; a name that is left out has its English. */
  readonly columns: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string>>
  /** What columns of `stored` and `meta` mean. */
  readonly beside?: Readonly<Record<string, string>>
  /** The note of `knownAt`. */
  readonly known: string
}

export const chineseUnits: Readonly<Record<string, string>> = {
  yuan: '元',
  percent: '%',
  lot: '手',
  point: '点',
  'trading day': '交易日',
  file: '个',
  byte: '字节',
  second: '秒',
  'Hong Kong dollar': '港元',
  'Unix second': 'Unix 秒',
  heat: '热度',
  comment: '条',
  like: '次',
  bar: '根',
  stock: '只',
  share: '股',
  bond: '张',
  'fund unit': '份',
  '1,000 yuan': '千元',
  '10,000 yuan': '万元',
  '100 million yuan': '亿元',
  '10,000 shares': '万股',
}

/** Units of what is computed, beside those of the contract. */
export const chineseResultUnits: Readonly<Record<string, string>> = {
  ...chineseUnits,
  row: '行',
  verdict: '个',
  day: '日',
  ratio: '比率',
  year: '年',
  place: '名',
  event: '次',
  snapshot: '个',
  security: '只',
}
