import { type Html, html, type Section, trusted } from './html.js'
import { style } from './report-style.js'

/** Nothing may be loaded and nothing may run: styles stand in the page. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** The whole document. */
export function page(title: string, header: Html, sections: readonly Section[]): string {
  const contents = sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)
  const bodies = sections.map(
    (section) => html`<section id="${section.id}" aria-labelledby="${section.id}-heading">
<h2 id="${section.id}-heading">${section.title}</h2>
${section.body}</section>
`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<div class="page">
${header}<nav aria-label="Contents"><ol>${contents}</ol></nav>
<main>
${bodies}</main>
<footer>Nothing here is advice. The page loads nothing, runs nothing, and holds no clock.</footer>
</div>
</body>
</html>
`.markup
}
