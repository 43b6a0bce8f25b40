import { allDatasets, type DatasetName } from '../../../../contract/catalogue.js'
import { subjects } from '../../../../contract/labels.js'
import { type Language, type Phrases, type Translate, translatorOf } from '../../../../contract/language.js'

/** The texts of the page: English, Chinese. Places to be filled in stand in braces. */
// biome-ignore format: a table, one text a line
const texts = {
  page: ['Test page', '测试页'],
  tagline: ['Every operation of the service, tried by hand.', '手动试用服务的每一个接口。'],
  documentation: ['Documentation', '文档'],
  skip: ['Skip to the form', '跳到表单'],
  language: ['Language', '语言'],
  theme: ['Theme', '主题'],
  auto: ['Auto', '自动'],
  light: ['Light', '浅色'],
  dark: ['Dark', '深色'],
  operations: ['Operations', '接口'],
  operation: ['Operation', '接口'],
  rules: ['Rules', '规则'],
  apikey: ['API key', 'API 密钥'],
  keyHint: ['Stays in the memory of this page; gone when it is closed or reloaded.', '只保存在本页内存中；关闭或刷新后即消失。'],
  params: ['Params', '查询条件'],
  example: ['Example', '示例'],
  clear: ['Clear', '清空'],
  required: ['required', '必填'],
  notSent: ['not sent', '不发送'],
  byDefault: ['default {value}', '默认 {value}'],
  range: ['{min} to {max}', '{min} 至 {max}'],
  atLeast: ['{min} or more', '不小于 {min}'],
  namesToo: ['Names and pinyin initials too: 云帆转债, yfzz.', '也可写名称或拼音首字母：云帆转债、yfzz。'],
  severalValues: ['Several: separate by commas.', '多个值用逗号分隔。'],
  notWith: ['Not together with {names}.', '不能与 {names} 同时使用。'],
  fields: ['Fields', '返回字段'],
  allFields: ['all {count}', '全部 {count} 个'],
  someFields: ['{some} of {count}', '{count} 个中的 {some} 个'],
  noFields: ['This operation takes no fields: every answer is whole.', '该接口不支持 fields：始终返回完整结果。'],
  none: ['None', '全不选'],
  all: ['All', '全选'],
  chooseFields: ['Choose at least one field.', '请至少选择一个字段。'],
  otherMode: ['in the other mode', '属于另一模式'],
  send: ['Send', '发送'],
  sendHint: ['Ctrl+Enter', 'Ctrl+Enter'],
  cancel: ['Cancel', '取消'],
  cancelHint: ['Esc', 'Esc'],
  call: ['The same call', '同一请求的代码'],
  copy: ['Copy', '复制'],
  copied: ['Copied', '已复制'],
  copyByHand: ['Selected: press Ctrl+C', '已选中：请按 Ctrl+C'],
  result: ['Result', '结果'],
  nothingYet: ['Nothing sent yet. The form holds an example; send it.', '尚未发送。表单中已填入示例，可直接发送。'],
  keyFirst: ['Nothing sent yet. The form holds an example; a key is needed first.', '尚未发送。表单中已填入示例；请先填写密钥。'],
  noKey: ['This service takes any key: none is needed here.', '本服务接受任意密钥：此处无需填写。'],
  sending: ['Waiting for the answer…', '等待应答…'],
  cancelled: ['Cancelled.', '已取消。'],
  table: ['Table', '表格'],
  record: ['Record', '记录'],
  chart: ['Chart', '图表'],
  json: ['JSON', 'JSON'],
  rows: ['{count} rows', '{count} 行'],
  oneRow: ['1 row', '1 行'],
  noRows: ['No data matches. That is an answer, not an error.', '没有匹配的数据。这是正常应答，不是错误。'],
  bytes: ['{count} bytes', '{count} 字节'],
  milliseconds: ['{count} ms', '{count} 毫秒'],
  first: ['First page', '第一页'],
  previous: ['Previous page', '上一页'],
  next: ['Next page', '下一页'],
  last: ['Last page', '最后一页'],
  rowsShown: ['Rows {from} to {to} of {count}', '第 {from} 至 {to} 行，共 {count} 行'],
  filter: ['Filter rows', '筛选行'],
  noneFound: ['No row holds this.', '没有符合的行。'],
  columns: ['What the columns mean', '各列含义'],
  column: ['Column', '列'],
  kind: ['Kind', '类型'],
  unit: ['Unit', '单位'],
  meaning: ['Meaning', '含义'],
  value: ['Value', '值'],
  link: ['open', '打开'],
  reveal: ['Reveal', '显示'],
  hide: ['Hide', '隐藏'],
  download: ['Download the whole answer', '下载完整应答'],
  downloadSecret: ['The file holds the password.', '文件中含有密码。'],
  cut: ['The first {shown} of {count} characters.', '前 {shown} 个字符，共 {count} 个。'],
  capped: ['As many rows as the cap of {rows} lets through: rows may be missing. Ask for less at a time.', '行数达到上限 {rows}：可能有行缺失。请缩小查询范围。'],
  paged: ['{shown} of {total} records; limit and offset give the rest.', '共 {total} 条记录，这里是 {shown} 条；其余用 limit 与 offset 查询。'],
  newest: ['As many records as limit lets through: older ones are not shown.', '记录数达到 limit：更早的记录未显示。'],
  noChart: ['No chart suits this answer.', '该结果没有合适的图表。'],
  chartNeeds: ['A chart needs the fields {names}.', '图表需要字段 {names}。'],
  chartPoints: ['A chart needs more than one {name}.', '图表需要不止一个 {name}。'],
  chartFirst: ['The first {shown} of {count} series.', '共 {count} 条序列，显示前 {shown} 条。'],
  chartTwice: ['Two rows for the same place: no chart.', '同一位置有两行：不作图。'],
  chartFailed: ['The chart could not be loaded.', '图表未能加载。'],
  archive: ['Archive {name}', '归档 {name}'],
  partial: ['Some rows of this dataset came from replies that had been cut: rows may be missing.', '该数据集的部分行来自被截断的应答：可能有行缺失。'],
  unknownColumn: ['not in the contract', '不在接口规范中'],
  forbidden: ['No permission', '无权限'],
  invalid: ['Parameter error', '参数错误'],
  unavailable: ['Temporarily unavailable', '暂时不可用'],
  tooMany: ['Too many requests', '请求过于频繁'],
  tooManyWait: ['again in {seconds} s', '{seconds} 秒后可重试'],
  tooManyNow: ['you may send again', '现在可以重新发送'],
  failed: ['Error', '错误'],
  unreachable: ['No answer: the service can not be reached.', '没有应答：无法连接服务。'],
  notJson: ['The answer is not JSON (HTTP {status}).', '应答不是 JSON（HTTP {status}）。'],
  notEnvelope: ['The answer is not an envelope of code, message and data (HTTP {status}).', '应答不是由 code、message、data 组成的完整应答（HTTP {status}）。'],
  malformed: ['The answer does not keep to the contract', '应答不符合接口规范'],
  fileResult: ['File result', '文件结果'],
  willRefuse: ['The service will refuse this:', '服务会拒绝：'],
} as const satisfies Phrases

export type TextKey = keyof typeof texts

export function translator(language: Language): PageContext['t'] {
  return translatorOf(texts, language)
}

/** What every part of the page is given. */
export interface PageContext {
  readonly language: Language
  /** A text of the page, its places filled in. */
  readonly t: Translate<TextKey>
}

/** The operations by subject, in the order in which they are offered. */
export function datasetGroups(): readonly {
  readonly en: string
  readonly zh: string
  readonly names: readonly DatasetName[]
}[] {
  const groups = Object.entries(subjects).map(([subject, [en, zh]]) => ({
    en,
    zh,
    names: allDatasets().flatMap((one) => (one.subject === subject ? (one.name as DatasetName) : [])),
  }))
  return groups.filter(({ names }) => names.length > 0)
}
