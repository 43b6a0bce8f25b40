import { sourceText } from '../../../contract/language.js'
import { version } from '../../../contract/version.js'
import { day, formatCount, listed } from '../format-number.js'
import { gridNumber, gridText, type Html, html, htmlGrid, outside } from '../html.js'
import { asOf, filled, type ReportInput } from '../report-tables.js'
import { inputIn, languageOfSay, type Say } from '../report-words.js'
import { daysText, healthFacts } from './source-health.js'

function hash(sha256: string | undefined, say: Say): Html {
  return sha256 === undefined
    ? html`<span class="none">${say('not stated', '未注明')}</span>`
    : html`<code>${sha256}</code>`
}

function stateOfSource({ source }: ReportInput, say: Say): Html {
  if (source.changed !== true) return hash(source.state, say)
  return html`<span class="none">${say(
    'none: the source changed while it was read, and its tables may be of different moments',
    '无：读取期间数据源有变动，各表可能不属于同一时刻',
  )}</span>`
}

/** Datasets that are loaded whole, with what their rows are called. */
const uncut = {
  news: ['news', '新闻'],
  finance_announcement: ['announcements', '公告'],
  interactive_qa: ['answers', '问答'],
} as const

function uncutNote({ tables }: ReportInput, say: Say): string {
  const there = (Object.keys(uncut) as (keyof typeof uncut)[]).filter((name) => filled(tables[name]))
  if (there.length === 0) return ''
  const english = listed(there.map((name) => uncut[name][0]))
  const chinese = there.map((name) => uncut[name][1]).join('、')
  return say(
    ` ${english.charAt(0).toUpperCase()}${english.slice(1)} are all that the source has, not cut to these days.`,
    `${chinese}为数据源所有的全部，不限于这些交易日。`,
  )
}

/** Day, source, version, and the checksums of everything that went in. There is no clock: equal inputs, equal bytes. */
export function sourceIdentity(input: ReportInput, say: Say): Html {
  const { source } = input
  const { inputs } = source
  const date = asOf(input)
  const checksums = say('Checksums of the inputs', '输入校验和')
  return html`<h3>${say('Source and version', '来源与版本')}</h3>
<dl class="facts">
<div><dt>${say('As of', '截至')}</dt><dd>${date ? html`<time datetime="${day(date)}">${day(date)}</time>` : say('no dated data', '没有带日期的数据')}</dd></div>
<div><dt>${say('Days covered', '交易日')}</dt><dd>${daysText(input, say)}</dd></div>
<div><dt>${say('Source', '数据源')}</dt><dd>${outside(sourceText(source.name, languageOfSay(say)))}</dd></div>
<div><dt>${say('Made by', '生成')}</dt><dd>Quotebook ${version}</dd></div>
${healthFacts(input, say)}<div class="whole"><dt>${say('State of the source, sha256', '数据源状态 sha256')}</dt><dd>${stateOfSource(input, say)}</dd></div>
</dl>
<p class="note">${say(
    'The same version over the same inputs gives this file again, byte for byte. A dash (—) is a missing value, never zero.',
    '同一版本、同样输入得到逐字节相同的文件。“—”为缺失，不是零。',
  )}${uncutNote(input, say)}</p>
${
  inputs.length > 0 &&
  html`<details class="rest"><summary>${checksums} (${formatCount(inputs.length)})</summary>
${htmlGrid(checksums, inputs, [
  gridText(say('dataset', '数据集'), ({ dataset }) => inputIn(dataset, languageOfSay(say))),
  gridNumber(say('rows', '行数'), undefined, ({ rows }) => formatCount(rows)),
  gridText('sha256', ({ sha256 }) => hash(sha256, say), 'hash'),
])}</details>`
}
`
}
