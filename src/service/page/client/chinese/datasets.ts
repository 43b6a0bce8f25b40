import type { DatasetName } from '../../../../contract/catalogue.js'

/** A dataset in Chinese; `rules` one for each rule of the contract, in its order. */
export interface ChineseDataset {
  readonly title: string
  readonly about: string
  readonly rules: readonly string[]
}

const minuteRules = [
  '一次查询一个交易日：没有 startdate 与 enddate。',
  '给 symbols、不给 trademin：返回其当日的分钟序列。',
  '给 trademin、不给 symbols：返回该分钟的全部标的。',
  '两者都不给：返回当日最新一个分钟桶。',
  '最多 6,000 行，先按 symbol、再按 trademin 升序；超出时服务只保留前 6,000 行，且不作提示。请拆分 symbols。',
]
const paging = '最新的在前；用 limit（默认 100）、offset（默认 0）和应答中的 total 翻页。'

export const chineseDatasets: Readonly<Record<DatasetName, ChineseDataset>> = {
  news: {
    title: '聚合新闻',
    about: '主流财经新闻，每 20 分钟采集一次，约 5 分钟后发布。',
    rules: ['最多返回 limit 条最新记录；更早的无法查询。'],
  },
  theme_lib_detail_kp: {
    title: '题材详情',
    about: '一个题材（概念板块）的全部信息：一条嵌套记录，每日 00:30 刷新，只保留最新快照。',
    rules: [
      '不支持 fields。',
      '只返回有效题材；未知或已失效的题材视为无数据。',
      '在 Arrow 与 danfo 中嵌套值是 JSON 文本，可用 JSON.parse 还原。',
    ],
  },
  hotstock: {
    title: '热股榜单',
    about: '四家平台的十五个热榜：最新榜单，或某一历史日的榜单。',
    rules: [
      '不给 tradedate（最新模式）时的列为 s、n、pc；给出时（历史模式）为 s、rank、tradedate、type。',
      '另一模式的列会被拒绝。',
    ],
  },
  st: {
    title: 'ST 标记',
    about: '某一交易日处于特别处理（ST 或 *ST）的股票。',
    rules: ['不给日期时取最新交易日。'],
  },
  convertible_minute: {
    title: '可转债 30 分钟线',
    about: '可转债的 30 分钟 K 线；每日九根，从 0930（含开盘集合竞价）到 1500。',
    rules: [...minuteRules, 'vwap 系数为 10：一手为 10 张。'],
  },
  etf_minute: {
    title: 'ETF 分钟线（15 或 30 分钟）',
    about: 'ETF 的 15 或 30 分钟 K 线；每日 17 根或 9 根，从 0930（含开盘集合竞价）到 1500。',
    rules: [
      ...minuteRules,
      'vwap 系数为 100：一手为 100 份。',
      '规范没有给出 period 的默认值；这里与可转债一样取 30m。',
    ],
  },
  theme_daily: {
    title: '统计指数日行情',
    about: '48 个市场统计指数（市值、均价、涨跌家数、等权等），每个指数每日一行。',
    rules: ['最新交易日在收盘前为快照。', '不给日期时取最新交易日。'],
  },
  convertible_daily: {
    title: '可转债日行情',
    about: '每只转债每日一行：价格、成交、纯债价值、转股价值与两种溢价率。',
    rules: ['每次最多 6,000 行。', '最新交易日在收盘前为快照。', 'startdate 晚于 enddate 为参数错误。'],
  },
  transfer_financing: {
    title: '转融资汇总',
    about: '转融通融资业务的每日余额与发生额，全市场合计。',
    rules: ['并非每个交易日都有记录；区间查询只返回有记录的日期。'],
  },
  thememembers_jx: {
    title: '精选板块成分',
    about: '各精选板块当前的股票池。没有历史：用于过去会引入未来信息。',
    rules: ['不支持 fields。', '在 danfo 中代码列表是一个逗号分隔的字符串。'],
  },
  southbound_top10: {
    title: '港股通十大成交',
    about: '两条南向通道各自最活跃的证券，含两条通道的成交、买入与卖出。',
    rules: ['历史数据始于 2023-07-11。', '同时出现在两条通道的证券有两行，其 sh_ 与 sz_ 各列相同：汇总时只计一次。'],
  },
  anomaly_forecast: {
    title: '异动预测',
    about: '已达到或当日可能达到严重异常波动阈值的股票。由服务自行测算，并非交易所认定。',
    rules: ['一次查询一个交易日。'],
  },
  file_download: {
    title: '竞价逐笔文件分享',
    about: '某一年竞价逐笔文件的分享链接，文件名为 YYYYMMDD_aucde.parquet，每日一个。',
    rules: [
      '专业版：含今日在内最近 365 个自然日的文件。旗舰版：该年的全部文件。',
      '应答有两层：分享可用时内层 code 为 0。',
      '来自本地归档时：即其自身的逐笔文件；分享不过期，也无需密码。',
    ],
  },
  finance_announcement: {
    title: '上市公司公告',
    about: '上市公司的公告，包括已披露的各个版本。',
    rules: ['历史数据始于 2026 年。', paging, '不给日期时匹配所有记录。'],
  },
  interactive_qa: {
    title: '互动问答',
    about: '投资者的公开提问与沪深上市公司的回答，含修订版本。',
    rules: ['历史数据始于 2026-06-26。', paging, '不给日期时匹配所有回答。'],
  },
}
