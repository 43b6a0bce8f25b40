import { columnTitle } from './column-titles.js'
import type { Language } from './language.js'

/** What the trade calls columns in English; other names are read as they are spelt, with blanks. */
const english: Readonly<Record<string, string>> = {
  tradedate: 'day',
  trade_date: 'day',
  symbol: 'code',
  s: 'code',
  n: 'name',
  theme_symbol: 'theme',
  pre_close: 'previous close',
  pct_chg: 'change',
  p_change: 'change',
  pc: 'change',
  change: 'change in price',
  vol: 'volume',
  amount: 'turnover',
  bond_value: 'pure-bond value',
  bond_over_rate: 'pure-bond premium',
  cb_value: 'conversion value',
  cb_over_rate: 'conversion premium',
  net_amount: 'net buys',
  sh_amount: 'Shanghai turnover',
  sh_net_amount: 'Shanghai net buys',
  sh_buy: 'Shanghai buys',
  sh_sell: 'Shanghai sells',
  sz_amount: 'Shenzhen turnover',
  sz_net_amount: 'Shenzhen net buys',
  sz_buy: 'Shenzhen buys',
  sz_sell: 'Shenzhen sells',
  market_type: 'channel',
  elapsed_days: 'days so far',
  deviation_pct: 'deviation',
  required_pct_chg: 'change needed',
  trigger_price: 'trigger price',
  symbols: 'stocks',
}

/** The title of a column of a dataset in words of the trade; undefined for other names. */
export function tradeTitle(name: string, language: Language): string | undefined {
  const chinese = language === 'zh' ? columnTitle(name) : undefined
  return chinese ?? (Object.hasOwn(english, name) ? english[name] : undefined)
}

/** The head of a column in words of the trade. */
export function tradeHead(name: string, language: Language): string {
  return tradeTitle(name, language) ?? name.replaceAll('_', ' ')
}
