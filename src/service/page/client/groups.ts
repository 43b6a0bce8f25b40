import type { DatasetName } from '../../../contract/catalogue.js'

/** The fifteen operations by subject, in the order in which they are offered. */
export const groups: readonly { readonly en: string; readonly zh: string; readonly names: readonly DatasetName[] }[] = [
  {
    en: 'Bars and quotes',
    zh: '行情',
    names: ['etf_minute', 'convertible_minute', 'convertible_daily', 'theme_daily'],
  },
  {
    en: 'Capital and risk',
    zh: '资金与风险',
    names: ['southbound_top10', 'transfer_financing', 'anomaly_forecast', 'st'],
  },
  { en: 'Themes and lists', zh: '题材与榜单', names: ['thememembers_jx', 'theme_lib_detail_kp', 'hotstock'] },
  { en: 'News and documents', zh: '资讯', names: ['news', 'finance_announcement', 'interactive_qa'] },
  { en: 'Files', zh: '文件', names: ['file_download'] },
]
