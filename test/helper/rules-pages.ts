import { always, chinaRules, type Dated } from '../../src/contract/trading-rules.js'
import { anomalyRules } from '../../src/research/checks/anomaly/anomaly-rules.js'

/** English, Chinese. */
type Both = readonly [english: string, chinese: string]

const classes: Readonly<Record<string, Both>> = {
  'SSE main': ['SSE main board', '沪市主板'],
  'SZSE main': ['SZSE main board', '深市主板'],
  ChiNext: ['ChiNext', '创业板'],
  STAR: ['STAR', '科创板'],
  BSE: ['BSE', '北交所'],
  ETF: ['ETF', 'ETF'],
  'ETF 20%': ['ETF 20 %', 'ETF（20%）'],
  'ETF T+0': ['ETF T+0', 'ETF（T+0）'],
  'convertible bond': ['convertible bond', '可转债'],
}

/** Classes that rows often have together, the widest first. */
const boardGroups: readonly { readonly boards: readonly string[]; readonly name: Both }[] = [
  { boards: ['SSE main', 'SZSE main', 'ChiNext', 'STAR', 'BSE'], name: ['all shares', '全部股票'] },
  { boards: ['SSE main', 'SZSE main', 'ChiNext', 'STAR'], name: ['shares of SSE and SZSE', '沪深股票'] },
  { boards: ['SSE main', 'SZSE main'], name: ['main boards', '沪深主板'] },
]

/** Sources in Chinese. */
const sources: Readonly<Record<string, string>> = {
  'SSE and SZSE trading rules before the 2026 revision': '沪深交易规则，2026 年修订之前',
  'SSE and SZSE trading rules, 2026 revision, in force 2026-07-06': '沪深交易规则（2026 年修订），2026-07-06 起施行',
  'SZSE trading rules before the ChiNext reform of 2020-08-24': '深交所交易规则，2020-08-24 创业板改革之前',
  'SZSE special rules for ChiNext, 2020-08-24': '深交所创业板交易特别规定，2020-08-24',
  'SSE special rules for STAR, since it opened': '上交所科创板股票交易特别规定，开板以来',
  'BSE trading rules, since it opened: an order beyond 30 % is void, so its published limits are cut to the fen':
    '北交所交易规则，开市以来：超出 30% 的申报无效，故公布的涨跌停价向内取整到分',
  'SSE, SZSE and BSE trading rules, as brokers quote them': '沪深北交易规则，据券商转述',
  'SSE and SZSE rules for convertible bonds, in force 2022-08-01, as the press quotes them; none before, only halts':
    '沪深可转债交易实施细则，2022-08-01 起施行，据媒体转述；此前没有涨跌幅限制，只有临时停牌',
  'SSE and SZSE trading rules before full registration: the first day alone has limits of its own':
    '沪深交易规则，全面注册制之前：仅首日另有限制',
  'SSE and SZSE trading rules, 2023 revision, in force 2023-04-10; unchanged in the 2026 revision':
    '沪深交易规则（2023 年修订），2023-04-10 起施行；2026 年修订未变',
  'BSE trading rules, since it opened': '北交所交易规则，开市以来',
  'SSE and SZSE listing rules of 2020-12-31, BSE listing rules: 15 trading days, no price limit on the first':
    '沪深上市规则（2020-12-31）与北交所上市规则：15 个交易日，首日无涨跌幅限制',
  'SSE, SZSE and BSE trading rules: the reference price on an ex-rights or ex-dividend day':
    '沪深北交易规则：除权除息日的参考价',
  'splits and merges of fund shares, and dividends': '基金份额的拆分、合并与分红',
  'convertible bonds trade with their interest, so that no coupon moves the previous close: an assumption':
    '可转债全价交易，付息不改变前收盘价：这是假设',
  'Ministry of Finance and State Taxation Administration, announcement 2023-39: halved from 2023-08-28':
    '财政部、税务总局公告 2023 年第 39 号：2023-08-28 起减半',
  'China Securities Depository and Clearing, notice of April 2022: halved from 2022-04-29':
    '中国结算 2022 年 4 月通知：2022-04-29 起减半',
  'negotiated with the broker; this is a common offer, not a rule': '与券商协商；此处是常见水平，不是规则',
  'Ministry of Finance, State Taxation Administration and CSRC, 财税〔2012〕85号, from 2013-01-01: of individuals':
    '财政部、税务总局、证监会，财税〔2012〕85号，2013-01-01 起：对个人',
  'Ministry of Finance, State Taxation Administration and CSRC, 财税〔2015〕101号, from 2015-09-08: of individuals; after a year none':
    '财政部、税务总局、证监会，财税〔2015〕101号，2015-09-08 起：对个人；持有超过一年免征',
  'Individual Income Tax Law: interest, withheld by who pays it; of individuals':
    '个人所得税法：利息由支付方代扣；对个人',
  'SSE and SZSE trading rules; the same in the revisions of 2023 and 2026': '沪深交易规则；2023 年与 2026 年修订相同',
  "text of SSE's published lists before full registration; a vendor's dictionary of reasons has 12 from then on, so the border is taken to be 2023-04-10":
    '全面注册制之前上交所公开信息的文字；某数据商的原因字典此后为 12，故以 2023-04-10 为界',
  'SSE trading rules, 2023 revision, as published lists quote them; one public program has 15 for the same days':
    '上交所交易规则（2023 年修订），据公开信息引用；某公开程序对同一时期取 15',
  "text of SZSE's published lists, before and after 2023; one public program has 15 for the same days":
    '深交所公开信息的文字，2023 年前后；某公开程序对同一时期取 15',
  'SZSE trading rules before the ChiNext reform of 2020-08-24; an inference, as no text of that time was read':
    '深交所交易规则，2020-08-24 创业板改革之前；属推断，未读到当时的文字',
  'text of the lists that the Beijing exchange publishes; the first day is an assumption':
    '北交所公开信息的文字；起始日为假设',
  'rule codes of a data vendor, and lists as portals quote them; the first day is an assumption':
    '某数据商的规则代码，与门户网站转述的公开信息；起始日为假设',
  'rule codes of a data vendor, and the wording of lists; the first day is an assumption':
    '某数据商的规则代码，与公开信息的措辞；起始日为假设',
}

const percent = (value: number | undefined): string => (value === undefined ? '–' : `${value} %`)
const dash = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

/** The pages docs/guide/trading-rules.md and its twin, made of the tables of rules. @throws Error for a source that has no Chinese */
export function rulesPage(language: 0 | 1): string {
  const say = (...both: Both): string => both[language]
  const listed: string[] = []
  const number = (source: string): string => {
    if (sources[source] === undefined) throw new Error(`no Chinese for the source of a rule: ${source}`)
    if (!listed.includes(source)) listed.push(source)
    return String(listed.indexOf(source) + 1)
  }
  const period = ({ from, until }: Dated<string>): string => {
    const begins = from === always ? [] : [say(`from ${dash(from)}`, `${dash(from)} 起`)]
    const ends = until === undefined ? [] : [say(`before ${dash(until)}`, `${dash(until)} 之前`)]
    return [...begins, ...ends].join(say(', ', '，')) || say('always', '一直')
  }
  const table = <R extends Dated<string>>(
    rows: readonly R[],
    columns: readonly (readonly [head: Both, cell: (row: R) => number | string])[],
  ): string => {
    const heads = [
      say('class', '品种'),
      say('period', '时期'),
      ...columns.map(([head]) => say(...head)),
      say('source', '来源'),
    ]
    const lines = rows.map((row) => {
      const groups = boardGroups.filter(({ boards }) => boards.every((board) => row.boards.includes(board))).slice(0, 1)
      const grouped = groups.flatMap(({ boards }) => boards)
      const others = row.boards.filter((board) => !grouped.includes(board)).map((board) => classes[board] as Both)
      const names = [...groups.map(({ name }) => name), ...others].map((both) => say(...both)).join(say(', ', '、'))
      return [names, period(row), ...columns.map(([, cell]) => cell(row)), number(row.source)]
    })
    return [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  }
  const up = (row: { readonly up?: number }): string => percent(row.up)
  const down = (row: { readonly down?: number }): string => percent(row.down)
  const sections = [
    `## ${say('Price limits', '涨跌幅限制')}

${say('Percent of the previous close, either way.', '以前收盘价为基准，涨跌相同。')}

${table(chinaRules.limits, [
  [['limit', '幅度'], (row) => percent(row.percent)],
  [['ST', 'ST'], (row) => percent(row.st)],
  [['rounding', '取整'], (row) => (row.rounding ? say('inward', '向内') : say('half up', '四舍五入'))],
])}`,
    `## ${say('New listings', '新上市')}

${say('These rules replace the limits on the first trading days. “–” means no limit.', '上市首日起若干日另有规定，“–”表示无限制。')}

${table(chinaRules.listings, [
  [['days', '天数'], (row) => row.days],
  [['up', '涨'], up],
  [['down', '跌'], down],
])}`,
    `## ${say('Delisting periods', '退市整理期')}

${table(chinaRules.delisting ?? [], [[['trading days', '交易日'], (row) => row.days]])}`,
    `## ${say('Lots and ticks', '申报数量与最小变动价位')}

${table(chinaRules.lots, [
  [['least', '最少'], (row) => row.min],
  [['step', '递增'], (row) => row.step],
  [['tick, yuan', '最小变动（元）'], (row) => row.tick],
])}`,
    `## ${say('Settlement', '交收')}

${table(chinaRules.settlement, [[['sold from', '可卖出'], (row) => `T+${row.days}`]])}`,
    `## ${say('Stamp duty and fees', '印花税与过户费')}

${table(chinaRules.charges, [
  [['charge', '费用'], (row) => (row.charge === 'stamp' ? say('stamp duty', '印花税') : say('transfer fee', '过户费'))],
  [['side', '方向'], (row) => (row.side === 'sell' ? say('sales', '卖出') : say('both', '双向'))],
  [['rate', '费率'], (row) => `${Number((row.rate * 100).toPrecision(6))} %`],
])}`,
    `## ${say('Commission', '佣金')}

${table(chinaRules.commission, [
  [['rate', '费率'], (row) => `${Number((row.rate * 100).toPrecision(6))} %`],
  [['least, yuan', '最低（元）'], (row) => row.min],
])}`,
    `## ${say('Tax on income', '红利与利息税')}

${say('The first row that fits counts.', '以先符合的一行为准。')}

${table(chinaRules.incomeTax ?? [], [
  [['income', '收入'], (row) => (row.income === 'coupon' ? say('coupon', '利息') : say('dividend', '红利'))],
  [
    ['held', '持有'],
    (row) =>
      row.months === undefined
        ? say('any time', '不限')
        : say(`up to ${row.months} month${row.months === 1 ? '' : 's'}`, `${row.months} 个月以内`),
  ],
  [['tax', '税率'], (row) => percent(row.percent)],
])}`,
    `## ${say('Abnormal movement', '异常波动')}

${say('Cumulative deviation from the benchmark index that counts.', '收盘价涨跌幅偏离值累计达到下列数值。')}

${table(anomalyRules.abnormal, [
  [
    ['stocks', '股票'],
    (row) => (row.of === 'ST' ? 'ST' : row.of === 'others' ? say('others', '其他') : say('all', '全部')),
  ],
  [['days', '天数'], (row) => row.days],
  [['up', '涨'], up],
  [['down', '跌'], down],
])}`,
    `## ${say('Severe abnormal movement', '严重异常波动')}

${table(anomalyRules.severe, [
  [['days', '天数'], (row) => row.days],
  [['up', '涨'], up],
  [['down', '跌'], down],
])}

${say('Repeated abnormal movements in one direction count too:', '同向异常波动达到下列次数也算：')}

${table(anomalyRules.counts, [
  [['days', '天数'], (row) => row.days],
  [['times', '次数'], (row) => row.times],
])}`,
  ]
  const list = listed.map((source, i) => `| ${i + 1} | ${say(source, sources[source] as string)} |`)
  return `# ${say('Trading rules', '交易规则')}

${say('[中文](trading-rules.zh-CN.md)', '[English](trading-rules.md)')}

${say(
  'These are the rules that your backtests, plans and checks apply, each from the day on which it came into force. For example, a share sold on 2023-08-25 pays 0.1 % stamp duty, and one sold on 2023-08-28 pays 0.05 %.',
  '回测、委托计划与检查采用下列规则，各自从生效之日起适用。例如 2023-08-25 卖出股票缴 0.1% 的印花税，2023-08-28 卖出则为 0.05%。',
)}

${say(
  'This page is generated from the tables `chinaRules` and `anomalyRules` of the program, so it shows what the program does. If you need other rules, pass your own table as `rules` ([backtests](backtest.md)).',
  '本页由程序中的 `chinaRules` 与 `anomalyRules` 两组表生成，因此与程序的行为一致。需要其他规则时，用 `rules` 给出自己的表（[回测](backtest.zh-CN.md)）。',
)}

${sections.join('\n\n')}

## ${say('Sources', '来源')}

${say('The texts of the exchanges were read in quotations only.', '交易所原文只读到转述。')}

| ${say('number', '编号')} | ${say('source', '来源')} |
| --- | --- |
${list.join('\n')}

## ${say('Limits', '限制')}

- ${say('Halts within a day are not modelled.', '不含盘中临时停牌。')}
- ${say(
    'Codes of Shenzhen ETFs do not show which of them trade T+0 or move by 20 %. If yours does, name it in `classes`.',
    '深市 ETF 的代码看不出是否 T+0 或涨跌幅为 20%；若是，请在 `classes` 中写明。',
  )}
- ${say('Commission is an assumption: set yours by `--commission`.', '佣金是假设，请用 `--commission` 设为自己的费率。')}
`
}
