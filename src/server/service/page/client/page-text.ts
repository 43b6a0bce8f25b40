import { allDatasets, type DatasetName } from '../../../../contract/catalogue.js'
import { subjects } from '../../../../contract/labels.js'
import type { Language } from '../../../../contract/language.js'
import { sayIn } from '../../../../contract/say.js'
import { fact, type Values } from '../../../../contract/sentence.js'

/** The texts of the page by name. Places to be filled in stand in braces. */
// biome-ignore format: a table, one text a line
const texts = {
  page: 'Test page',
  tagline: 'Every operation of the service, tried by hand.',
  documentation: 'Documentation',
  desk: 'Back to the desk',
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
  namesToo: 'Names and pinyin initials too: 云帆转债, yfzz.',
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
  filter: 'Filter rows',
  noneFound: 'No row holds this.',
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

export type TextKey = keyof typeof texts

export function translator(language: Language): PageContext['t'] {
  const say = sayIn(language)
  return (key, places) => (key === 'fields' ? say(fact('RETURNED', texts.fields)) : say(texts[key], places))
}

/** What every part of the page is given. */
export interface PageContext {
  readonly language: Language
  /** A text of the page, its places filled in. */
  readonly t: (key: TextKey, places?: Values) => string
}

/** The operations by subject, in the order in which they are offered. */
export function datasetGroups(): readonly {
  readonly title: string
  readonly names: readonly DatasetName[]
}[] {
  const groups = Object.entries(subjects).map(([subject, title]) => ({
    title,
    names: allDatasets().flatMap((one) => (one.subject === subject ? (one.name as DatasetName) : [])),
  }))
  return groups.filter(({ names }) => names.length > 0)
}
