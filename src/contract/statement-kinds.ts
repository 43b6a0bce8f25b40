/** What a line of a broker's statement is. `note` changes nothing; `margin` is on credit, which is not followed. */
export const lineKinds = [
  'trade',
  'dividend',
  'coupon',
  'interest',
  'tax',
  'fee',
  'repo',
  'transfer',
  'subscription',
  'shares',
  'redemption',
  'margin',
  'note',
] as const
export type LineKind = (typeof lineKinds)[number]

/** The words of terminals and brokers by which a kind is known, the first that fits. */
const words: readonly (readonly [LineKind, RegExp])[] = [
  ['note', /配号|中签通知|指定交易|指定登记|撤销指定|^撤指/],
  ['repo', /回购|购回|拆出|拆入/],
  ['margin', /融资|融券|还款|还券|担保[物品](?!买|卖)/],
  ['trade', /买|卖|^(b|s|buy|sell)$/i],
  ['tax', /扣税|红利税|股息税|利息税|个税/],
  ['redemption', /赎回|回售|兑付|还本|退市/],
  ['coupon', /兑息|付息/],
  ['dividend', /红利|股息|分红|派息|股利|除权除息/],
  ['shares', /红股|送股|转增|转股|股份|托管|非交易过户|证券转(?!银行)|调[账帐]|新[股债].*入|上市|配股入/],
  ['subscription', /申购|中签|缴款|新股|新债|认购|配股/],
  ['transfer', /银行转|转银行|银证|证银|转存|转取|入金|出金|资金(划|转|存|取)|转账/],
  ['interest', /利息|结息/],
  ['fee', /费/],
]

/** The kind of a line by what its broker calls it; undefined for a word that is not known. */
export const lineKindOf = (action: string): LineKind | undefined => words.find(([, word]) => word.test(action))?.[0]

/** Which way money goes of a kind, where a file writes no signs: 1 in, -1 out. */
export function directionOf(kind: LineKind, action: string): 1 | -1 {
  switch (kind) {
    case 'trade':
      return /卖|^s/i.test(action) ? 1 : -1
    case 'repo':
      return /购回|到期/.test(action) !== /融资|拆入/.test(action) ? 1 : -1
    case 'transfer':
      return /银行转|转存|入金|划入|转入|存入/.test(action) ? 1 : -1
    case 'tax':
    case 'fee':
    case 'subscription':
    case 'margin':
      return -1
    default:
      return 1
  }
}

/** Whether shares leave by a line that is no trade. */
export const sharesLeave = (action: string, isBond: boolean): boolean =>
  /出|减|注销/.test(action) || (isBond && /转股/.test(action))
