import { type Html, html, type Section, trusted } from './html.js'
import { liveParts } from './live-parts.js'
import { style } from './report-style.js'
import { manifestMeta, sealPage } from './verify/page-manifest.js'

/** Nothing may be loaded and nothing may run, but for a script of the page's own: styles stand in the page. */
const policyWith = (script: string): string =>
  `default-src 'none'; ${script}style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`

export type DocumentManifest = Parameters<typeof manifestMeta>[0]

interface DocumentParts {
  readonly lang: 'en' | 'zh-CN'
  readonly title: string
  readonly manifest: DocumentManifest
  /** Beside the style of all pages. */
  readonly ownStyle?: string
  readonly header: Html
  /** What the list of contents is called. */
  readonly contents: string
  readonly sections: readonly Section[]
  /** Sections on paper alone, which are not among the contents. */
  readonly onPaper?: readonly Section[]
  readonly footer: Html | string
  /** Its charts answer, by a script of its own. */
  readonly interactive?: boolean | undefined
}

/** A whole page: a header, contents, sections and a footer. */
export function htmlDocument({ sections, onPaper = [], interactive, ...given }: DocumentParts): string {
  const { manifest, ...parts } = given
  const options = interactive ? { ...manifest.options, interactive } : manifest.options
  const bodies = [...sections, ...onPaper].map(({ body }) => html`${body}`)
  const live = interactive ? liveParts(bodies.flatMap(({ plots }) => plots)) : undefined
  const contents = sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)
  const bodyOf = (mark: string) => (section: Section) =>
    html`<section id="${section.id}" aria-labelledby="${section.id}-heading"${trusted(mark)}>
<h2 id="${section.id}-heading">${section.title}</h2>
${section.body}</section>
`
  const { markup } = html`<!doctype html>
<html lang="${parts.lang}">
<head>
<meta charset="utf-8">
${manifestMeta({ ...manifest, options })}<meta http-equiv="Content-Security-Policy" content="${trusted(policyWith(live?.policy ?? ''))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${parts.title}</title>
<style>${trusted(style)}${trusted(parts.ownStyle ?? '')}</style>
</head>
<body>
<div class="page">
${parts.header}${
  sections.length > 1 &&
  html`<nav aria-label="${parts.contents}"><ol>${contents}</ol></nav>
`
}<main>
${sections.map(bodyOf(''))}${onPaper.map(bodyOf(' class="on-paper"'))}</main>
<footer>${parts.footer}</footer>
</div>
${live?.scripts}</body>
</html>
`
  return sealPage(markup)
}
