import { type Html, html, type Section, trusted } from '../html.js'
import { style } from '../report-style.js'
import type { RunSheet } from './sheet-context.js'
import { sheetStyle } from './sheet-style.js'

/** Nothing may be loaded and nothing may run: styles stand in the page. */
const nothing = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** The whole document; sections on paper alone are not among its contents. */
export function sheetPage(
  { say, options }: RunSheet,
  parts: { title: string; header: Html; sections: readonly Section[]; onPaper: readonly Section[] },
): string {
  const contents = parts.sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)
  const bodyOf = (mark: string) => (section: Section) =>
    html`<section id="${section.id}" aria-labelledby="${section.id}-heading"${trusted(mark)}>
<h2 id="${section.id}-heading">${section.title}</h2>
${section.body}</section>
`
  return html`<!doctype html>
<html lang="${options.lang === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(nothing)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${parts.title}</title>
<style>${trusted(style)}${trusted(sheetStyle)}</style>
</head>
<body>
<div class="page">
${parts.header}<nav aria-label="${say('contents')}"><ol>${contents}</ol></nav>
<main>
${parts.sections.map(bodyOf(''))}${parts.onPaper.map(bodyOf(' class="on-paper"'))}</main>
<footer>${say('footer')}</footer>
</div>
</body>
</html>
`.markup
}
