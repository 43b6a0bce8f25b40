import { version } from '../contract/version.js'
import { type Html, html, type Section, trusted } from './html.js'
import { sayIn } from './report-language.js'
import { style } from './report-style.js'
import type { ReportInput } from './report-tables.js'

/** Nothing may be loaded and nothing may run: styles stand in the page. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** The whole document. */
export function page(parts: {
  readonly title: string
  readonly header: Html
  readonly sections: readonly Section[]
  readonly input: Pick<ReportInput, 'language' | 'source'>
}): string {
  const { sections, input } = parts
  const say = sayIn(input.language)
  const contents = sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)
  const bodies = sections.map(
    (section) => html`<section id="${section.id}" aria-labelledby="${section.id}-heading">
<h2 id="${section.id}-heading">${section.title}</h2>
${section.body}</section>
`,
  )
  const { state } = input.source
  return html`<!doctype html>
<html lang="${say('en', 'zh-CN')}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${parts.title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<div class="page">
${parts.header}<nav aria-label="${say('Contents', '目录')}"><ol>${contents}</ol></nav>
<main>
${bodies}</main>
<footer>Quotebook ${version}${state !== undefined && html`, ${say('state of the source', '数据源状态')} <code>${state.slice(0, 16)}</code>`}. ${say(
    'Nothing here is advice. The page loads nothing, runs nothing, and holds no clock.',
    '本页不构成投资建议；不加载外部资源，不运行脚本，不含生成时间。',
  )}</footer>
</div>
</body>
</html>
`.markup
}
