import { type DatasetName, datasets } from '../../../contract/catalogue.js'
import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { type ChineseLabels, chineseUnits, commonChinese, subjects } from '../../../contract/labels.js'
import type { Param } from '../../../contract/param.js'

export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

const en = {
  page: 'Test page',
  tagline: 'Every operation of the service, tried by hand.',
  skip: 'Skip to the form',
  language: 'Language',
  theme: 'Theme',
  auto: 'Auto',
  light: 'Light',
  dark: 'Dark',
  operations: 'Operations',
  operation: 'Operation',
  rules: 'Rules',
  apikey: 'API key',
  keyHint: 'Stays in the memory of this page; gone when it is closed or reloaded.',
  params: 'Params',
  example: 'Example',
  clear: 'Clear',
  required: 'required',
  notSent: 'not sent',
  byDefault: 'default {value}',
  range: '{min} to {max}',
  atLeast: '{min} or more',
  severalValues: 'Several: separate by commas.',
  notWith: 'Not together with {names}.',
  fields: 'Fields',
  allFields: 'all {count}',
  someFields: '{some} of {count}',
  noFields: 'This operation takes no fields: every answer is whole.',
  none: 'None',
  all: 'All',
  chooseFields: 'Choose at least one field.',
  otherMode: 'in the other mode',
  send: 'Send',
  sendHint: 'Ctrl+Enter',
  cancel: 'Cancel',
  cancelHint: 'Esc',
  call: 'The same call',
  copy: 'Copy',
  copied: 'Copied',
  copyByHand: 'Selected: press Ctrl+C',
  result: 'Result',
  nothingYet: 'Nothing sent yet. The form holds an example; send it.',
  keyFirst: 'Nothing sent yet. The form holds an example; a key is needed first.',
  noKey: 'This service takes any key: none is needed here.',
  sending: 'Waiting for the answer…',
  cancelled: 'Cancelled.',
  table: 'Table',
  record: 'Record',
  chart: 'Chart',
  json: 'JSON',
  rows: '{count} rows',
  oneRow: '1 row',
  noRows: 'No data matches. That is an answer, not an error.',
  bytes: '{count} bytes',
  milliseconds: '{count} ms',
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
  rowsShown: 'Rows {from} to {to} of {count}',
  columns: 'What the columns mean',
  column: 'Column',
  kind: 'Kind',
  unit: 'Unit',
  meaning: 'Meaning',
  value: 'Value',
  link: 'open',
  reveal: 'Reveal',
  hide: 'Hide',
  download: 'Download the whole answer',
  downloadSecret: 'The file holds the password.',
  cut: 'The first {shown} of {count} characters.',
  capped: 'As many rows as the cap of {rows} lets through: rows may be missing. Ask for less at a time.',
  paged: '{shown} of {total} records; limit and offset give the rest.',
  newest: 'As many records as limit lets through: older ones are not shown.',
  noChart: 'No chart suits this answer.',
  chartNeeds: 'A chart needs the fields {names}.',
  chartPoints: 'A chart needs more than one {name}.',
  chartFirst: 'The first {shown} of {count} series.',
  chartTwice: 'Two rows for the same place: no chart.',
  chartFailed: 'The chart could not be loaded.',
  archive: 'Archive {name}',
  partial: 'Some rows of this dataset came from replies that had been cut: rows may be missing.',
  unknownColumn: 'not in the contract',
  forbidden: 'No permission',
  invalid: 'Parameter error',
  unavailable: 'Temporarily unavailable',
  tooMany: 'Too many requests',
  tooManyWait: 'again in {seconds} s',
  tooManyNow: 'you may send again',
  failed: 'Error',
  unreachable: 'No answer: the service can not be reached.',
  notJson: 'The answer is not JSON (HTTP {status}).',
  notEnvelope: 'The answer is not an envelope of code, message and data (HTTP {status}).',
  malformed: 'The answer does not keep to the contract',
  fileResult: 'File result',
  willRefuse: 'The service will refuse this:',
} as const

export type TextKey = keyof typeof en

const zh: Readonly<Record<TextKey, string>> = {
  page: '测试页',
  tagline: '手动试用服务的每一个接口。',
  skip: '跳到表单',
  language: '语言',
  theme: '主题',
  auto: '自动',
  light: '浅色',
  dark: '深色',
  operations: '接口',
  operation: '接口',
  rules: '规则',
  apikey: 'API 密钥',
  keyHint: '只保存在本页内存中；关闭或刷新后即消失。',
  params: '参数',
  example: '示例',
  clear: '清空',
  required: '必填',
  notSent: '不发送',
  byDefault: '默认 {value}',
  range: '{min} 至 {max}',
  atLeast: '不小于 {min}',
  severalValues: '多个值用逗号分隔。',
  notWith: '不能与 {names} 同时使用。',
  fields: '返回字段',
  allFields: '全部 {count} 个',
  someFields: '{count} 个中的 {some} 个',
  noFields: '该接口不支持 fields：始终返回完整结果。',
  none: '全不选',
  all: '全选',
  chooseFields: '请至少选择一个字段。',
  otherMode: '属于另一模式',
  send: '发送',
  sendHint: 'Ctrl+Enter',
  cancel: '取消',
  cancelHint: 'Esc',
  call: '同一请求的代码',
  copy: '复制',
  copied: '已复制',
  copyByHand: '已选中：请按 Ctrl+C',
  result: '结果',
  nothingYet: '尚未发送。表单中已填入示例，可直接发送。',
  keyFirst: '尚未发送。表单中已填入示例；请先填写密钥。',
  noKey: '本服务接受任意密钥：此处无需填写。',
  sending: '等待应答…',
  cancelled: '已取消。',
  table: '表格',
  record: '记录',
  chart: '图表',
  json: 'JSON',
  rows: '{count} 行',
  oneRow: '1 行',
  noRows: '没有匹配的数据。这是正常应答，不是错误。',
  bytes: '{count} 字节',
  milliseconds: '{count} 毫秒',
  first: '第一页',
  previous: '上一页',
  next: '下一页',
  last: '最后一页',
  rowsShown: '第 {from} 至 {to} 行，共 {count} 行',
  columns: '各列含义',
  column: '列',
  kind: '类型',
  unit: '单位',
  meaning: '含义',
  value: '值',
  link: '打开',
  reveal: '显示',
  hide: '隐藏',
  download: '下载完整应答',
  downloadSecret: '文件中含有密码。',
  cut: '前 {shown} 个字符，共 {count} 个。',
  capped: '行数达到上限 {rows}：可能有行缺失。请缩小查询范围。',
  paged: '共 {total} 条记录，这里是 {shown} 条；其余用 limit 与 offset 查询。',
  newest: '记录数达到 limit：更早的记录未显示。',
  noChart: '该结果没有合适的图表。',
  chartNeeds: '图表需要字段 {names}。',
  chartPoints: '图表需要不止一个 {name}。',
  chartFirst: '共 {count} 条序列，显示前 {shown} 条。',
  chartTwice: '同一位置有两行：不作图。',
  chartFailed: '图表未能加载。',
  archive: '归档 {name}',
  partial: '该数据集的部分行来自被截断的应答：可能有行缺失。',
  unknownColumn: '不在接口规范中',
  forbidden: '无权限',
  invalid: '参数错误',
  unavailable: '暂时不可用',
  tooMany: '请求过于频繁',
  tooManyWait: '{seconds} 秒后可重试',
  tooManyNow: '现在可以重新发送',
  failed: '错误',
  unreachable: '没有应答：无法连接服务。',
  notJson: '应答不是 JSON（HTTP {status}）。',
  notEnvelope: '应答不是由 code、message、data 组成的信封（HTTP {status}）。',
  malformed: '应答不符合接口规范',
  fileResult: '文件结果',
  willRefuse: '服务会拒绝：',
}

const words: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en, zh }

/** A word of the page, its places `{name}` filled in. */
export type Translate = (word: TextKey, places?: Readonly<Record<string, string | number>>) => string

export function translator(language: Language): Translate {
  return (word, places = {}) =>
    words[language][word].replace(/\{(\w+)\}/g, (whole, name: string) => String(places[name] ?? whole))
}

/** The operations by subject, in the order in which they are offered. */
export const datasetGroups: readonly {
  readonly en: string
  readonly zh: string
  readonly names: readonly DatasetName[]
}[] = Object.entries(subjects).map(([subject, [en, zh]]) => ({
  en,
  zh,
  names: datasets.filter((dataset) => dataset.subject === subject).map(({ name }) => name),
}))

/** Title, purpose and rules of a dataset. */
export function datasetText(dataset: Dataset, language: Language): Pick<ChineseLabels, 'title' | 'about' | 'rules'> {
  return language === 'en' ? dataset : dataset.chinese
}

export function paramMeaning(dataset: Dataset, name: string, param: Param, language: Language): string {
  if (language === 'en') return param.meaning
  return dataset.chinese.params[name] ?? commonChinese.params[name] ?? param.meaning
}

/** What a column means; undefined for one that the contract does not know. */
export function columnMeaning(dataset: Dataset, name: string, language: Language): string | undefined {
  const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
  if (column === undefined || language === 'en') return column?.meaning
  return dataset.chinese.columns[name] ?? commonChinese.columns[name] ?? column.meaning
}

export function unitText(column: Column | undefined, language: Language): string | undefined {
  const unit = column?.unit
  return unit === undefined || language === 'en' ? unit : (chineseUnits[unit] ?? unit)
}

/** What an allowed value of a param means, or undefined where it explains itself. */
export function valueTitle(dataset: Dataset, value: string, language: Language): string | undefined {
  const titles = dataset.valueTitles
  return titles && Object.hasOwn(titles, value) ? titles[value]?.[language === 'en' ? 0 : 1] : undefined
}

/** What every part of the page is given. */
export interface PageContext {
  readonly language: Language
  readonly say: Translate
}
