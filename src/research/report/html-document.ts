import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import root from '#root'
import type { Say } from '../../contract/say.js'
import { type Html, type HtmlPart, html, type Section, trusted } from './html.js'
import { liveParts } from './live-parts.js'
import type { PageTop } from './page-header.js'
import { paletteStyle } from './palette.js'
import { manifestMeta, sealPage } from './verify/page-manifest.js'

let rules: string | undefined

/** The look of all pages: the colours, and the rules of the one stylesheet. */
export function pageStyle(): string {
  rules ??= readFileSync(join(root, 'src', 'research', 'report', 'page.css'), 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) /g, '$1')
    .trim()
  return `${paletteStyle}${rules}`
}

/** Nothing may be loaded and nothing may run, but for a script of the page's own: styles stand in the page. */
const policyWith = (script: string): string =>
  `default-src 'none'; ${script}style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`

export type DocumentManifest = Parameters<typeof manifestMeta>[0]

interface DocumentParts {
  readonly say: Say
  readonly title: string
  readonly manifest: DocumentManifest
  readonly top: PageTop
  /** Sections that stand on the first screen, before what is to be minded and the contents. */
  readonly first?: readonly Section[]
  readonly sections: readonly Section[]
  /** Sections on paper alone, which are not among the contents. */
  readonly onPaper?: readonly Section[]
  /** At its end, before what all pages say there. */
  readonly footer?: HtmlPart
  /** Its charts answer, by a script of its own. */
  readonly interactive?: boolean | undefined
}

function footerOf(say: Say, interactive: boolean): string {
  return interactive
    ? say(
        'Nothing here is advice. The page loads nothing, runs nothing but the script of its charts, and holds no clock.',
      )
    : say('Nothing here is advice. The page loads nothing, runs nothing, and holds no clock.')
}

/** A section under its heading. @param mark an attribute of it */
export const sectionOf = ({ id, title, body }: Section, mark = ''): Html =>
  html`<section id="${id}" aria-labelledby="${id}-heading"${trusted(mark)}>
<h2 id="${id}-heading">${title}</h2>
${body}</section>
`

/** A whole page: a header, the sections of the first screen, what is to be minded, contents, sections and a footer. */
export function htmlDocument({ sections, onPaper = [], interactive, manifest, say, ...parts }: DocumentParts): string {
  const { top, first = [] } = parts
  const options = interactive ? { ...manifest.options, interactive } : manifest.options
  const bodies = [...first, ...sections, ...onPaper].map(({ body }) => html`${body}`)
  const live = interactive ? liveParts(bodies.flatMap(({ plots }) => plots)) : undefined
  const all = [...first, ...sections]
  const contents = all.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)
  const bodyOf = (mark: string) => (section: Section) => sectionOf(section, mark)
  const { markup } = html`<!doctype html>
<html lang="${say.language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
${manifestMeta({ ...manifest, options })}<meta http-equiv="Content-Security-Policy" content="${trusted(policyWith(live?.policy ?? ''))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${parts.title}</title>
<style>${trusted(pageStyle())}</style>
</head>
<body>
<div class="page">
${top.header}<main>
${first.map(bodyOf(''))}${top.caveats}${
  all.length > 1 &&
  html`<nav aria-label="${say('Contents')}"><ol>${contents}</ol></nav>
`
}${sections.map(bodyOf(''))}${onPaper.map(bodyOf(' class="on-paper"'))}</main>
<footer>${top.facts}<p>${parts.footer}${footerOf(say, live !== undefined)}</p></footer>
</div>
${live?.scripts}</body>
</html>
`
  return sealPage(markup)
}
