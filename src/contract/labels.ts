/** The subjects by which the operations are grouped where they are offered, in that order: English, Chinese. */
export const subjects = {
  quotes: ['Bars and quotes', '行情'],
  risk: ['Capital and risk', '资金与风险'],
  lists: ['Themes and lists', '题材与榜单'],
  documents: ['News and documents', '资讯'],
  files: ['Files', '文件'],
  own: ['Of your own', '自有数据'],
} as const satisfies Readonly<Record<string, readonly [en: string, zh: string]>>

export type Subject = keyof typeof subjects

/** A dataset in Chinese. */
export interface ChineseLabels {
  readonly title: string
  readonly about: string
  /** One for each rule of the dataset, in its order. */
  readonly rules: readonly string[]
  /** What its columns and params mean; a name that is left out has its meaning in `commonChinese`. */
  readonly columns: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string>>
  /** What columns of `stored` and `meta` mean. */
  readonly beside?: Readonly<Record<string, string>>
  /** The note of `knownAt`. */
  readonly known: string
}

/** What columns and params mean that several operations spell alike. */
export const commonChinese: Pick<ChineseLabels, 'columns' | 'params'> = {
  columns: {
    tradedate: '交易日。',
    title: '标题。',
    change: '涨跌额：close 减 pre_close。',
    amount: '当日累计成交额。',
  },
  params: {
    tradedate: '单个交易日；未指定日期时取最新交易日。',
    startdate: '区间首日；单独给出时，区间到最新交易日为止。',
    enddate: '区间末日；单独给出时，只查询这一日。',
    limit: '本次返回的记录数。',
    offset: '跳过的记录数。',
    period: 'K 线周期。',
    keyword: '在标题或摘要中查找的文字。',
  },
}

/** What a cell can be, in Chinese. */
export const chineseKinds: Readonly<Record<string, string>> = {
  code: '代码',
  date: '日期',
  minute: '分钟',
  clock: '时间',
  label: '短文本',
  moment: '时刻',
  id: '编号',
  text: '文本',
  number: '数值',
  integer: '整数',
  long: '整数',
  boolean: '布尔值',
  texts: '文本列表',
  json: 'JSON',
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
