/** What the site says beside its pages: English, Chinese. */
export const words = {
  about: [
    'Research workbench for Chinese securities data: every dataset as a DataFrame, complete or refused.',
    '中国证券数据研究工作台：每个数据集都是一张 DataFrame，要么完整，要么报错。',
  ],
  home: ['Start', '开始'],
  begin: ['First steps', '上手'],
  inOther: ['中文', 'English'],
  further: ['Documentation', '文档'],
  guides: ['Guides', '手册'],
  datasets: ['Datasets', '数据集'],
  commands: ['Commands', '命令'],
  api: ['API', 'API'],
  recipes: ['Recipes', '常用写法'],
  glossary: ['Glossary', '术语表'],
  reference: ['Reference', '参考'],
  tutorials: ['Tutorials', '教程'],
  columns: ['Columns', '列'],
  params: ['Params', '查询条件'],
  rules: ['Rules', '规则'],
  answer: ['Answer', '结果'],
  examples: ['Example', '示例'],
  sample: ['Rows of the sample', '样本中的几行'],
  synthetic: ['Synthetic: no number in it is real.', '合成数据，其中没有真实数字。'],
  nothing: ['The sample has no rows for this example.', '样本中没有符合该示例的行。'],
  inMeta: ['Beside the rows', '行之外'],
  stored: ['Columns of an archive', '归档另存的列'],
  name: ['name', '名称'],
  kind: ['kind', '类型'],
  unit: ['unit', '单位'],
  missing: ['missing', '缺失'],
  meaning: ['meaning', '含义'],
  usual: ['default', '默认'],
  dataset: ['dataset', '数据集'],
  limit: ['how much', '条数'],
  known: ['known', '可知时间'],
  key: ['key', '主键'],
  order: ['order', '顺序'],
  command: ['command', '命令'],
  usage: ['Usage', '用法'],
  arguments: ['Arguments', '参数'],
  options: ['Options', '选项'],
  choices: ['choices: ', '可选值：'],
  default: ['default: ', '默认：'],
  env: ['variable: ', '环境变量：'],
  required: ['required', '必填'],
  shell: ['Command line', '命令行'],
  python: [
    '[Python](../guide/python.md), beside `quotebook serve`',
    '[Python](../guide/python.md)（需先运行 `quotebook serve`）',
  ],
  functions: ['Functions', '函数'],
  types: ['Types', '类型'],
  foreign: ['Names of danfo and apache-arrow', '来自 danfo 与 apache-arrow'],
  colon: [':', '：'],
  what: ['what', '内容'],
}

/** Guides by what one does, in reading order; one that stands in no group comes last, in `further`. */
export const groups = [
  [
    ['From elsewhere', '从其他工具迁移'],
    [
      'guide/compare',
      'guide/from-tushare',
      'guide/from-akshare',
      'guide/from-pandas',
      'guide/from-joinquant',
      'guide/from-backtrader',
      'guide/python',
    ],
  ],
  [
    ['Data', '数据'],
    [
      'guide/own-key',
      'guide/source',
      'guide/complete',
      'guide/archive',
      'guide/sync',
      'guide/watch',
      'guide/ticks',
      'guide/own-data',
    ],
  ],
  [
    ['Work with it', '使用数据'],
    ['guide/frames', 'guide/danfo', 'guide/notebooks'],
  ],
  [
    ['What it means', '数据说明什么'],
    ['guide/checks', 'guide/analysis', 'guide/report'],
  ],
  [
    ['Trade by it', '策略与交易'],
    ['guide/strategy', 'guide/backtest', 'guide/sweeps', 'guide/corporate-actions', 'guide/plan'],
  ],
  [
    ['For others', '对外提供'],
    ['guide/service', 'guide/agents', 'guide/deployment', 'guide/clickhouse'],
  ],
  [
    ['Look up', '查阅'],
    [
      'guide/troubleshooting',
      'guide/configuration',
      'guide/trading-rules',
      'guide/performance',
      'guide/architecture',
      'guide/security',
      'guide/upgrading',
    ],
  ],
]
export const further = ['Further', '其他']
export const tutorials = ['tutorial/research', 'tutorial/backtest', 'tutorial/evening', 'tutorial/team']

/** The API by what one does: page in docs/api, and the headings of src/index.ts whose names it explains. */
export const topics = [
  ['asking', ['where data comes from', 'a service over HTTP']],
  ['live-day', ['the live day']],
  ['tables', ['a table or a frame, and its columns']],
  ['verbs', ['what a quant does with it']],
  ['files', ['in and out, without loss']],
  ['catalogue', ['what exists']],
  ['archives', ["an archive of one's own, and the report", 'an archive kept up to a source']],
  ['ticks', ['the auction-tick files']],
  [
    'checks',
    ['what the numbers mean: each dataset compared with what must be true of it', 'minute bars', 'abnormal movement'],
  ],
  ['flows', ['southbound flows']],
  ['auction', ['the opening auction']],
  ['backtests', ['backtests']],
  ['performance', ['what an account, or a score, was worth']],
  ['pages', ['looking at it']],
]

/** Words of the theme in Chinese. */
export const chineseTheme = {
  outline: { label: '本页内容', level: [2, 3] },
  docFooter: { prev: '上一页', next: '下一页' },
  darkModeSwitchLabel: '外观',
  lightModeSwitchTitle: '切换到浅色',
  darkModeSwitchTitle: '切换到深色',
  sidebarMenuLabel: '目录',
  returnToTopLabel: '回到顶部',
  langMenuLabel: '切换语言',
  skipToContentLabel: '跳到正文',
  notFound: { title: '没有这个页面', quote: '地址有误，或页面已移走。', linkText: '返回首页', linkLabel: '返回首页' },
}

export const chineseSearch = {
  button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
  modal: {
    displayDetails: '显示详情',
    resetButtonTitle: '清除',
    backButtonTitle: '关闭搜索',
    noResultsText: '没有找到：',
    footer: {
      selectText: '打开',
      selectKeyAriaLabel: '回车',
      navigateText: '移动',
      navigateUpKeyAriaLabel: '上箭头',
      navigateDownKeyAriaLabel: '下箭头',
      closeText: '关闭',
      closeKeyAriaLabel: 'Esc',
    },
  },
}
