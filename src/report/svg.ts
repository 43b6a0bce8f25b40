import { QuotebookError } from '../contract/error.js'
import { escaped } from '../show/escaped.js'
import { inks } from './plot.js'

const variables = new Map<string, string>(Object.entries(inks).map(([name, stand]) => [stand, `var(--${name})`]))

/** Attributes that mean something only to the script of the drawing library. */
const idle = / (?:class|ecmeta_\w+|pointer-events|xmlns(?::\w+)?|version|baseProfile|cursor)="[^"]*"/g

function tag(markup: string, id: string): string {
  return markup
    .replace(idle, '')
    .replace(/ id="zr\d+-([^"]*)"/g, ` id="${id}-$1"`)
    .replace(/="url\(#zr\d+-([^")]*)\)"/g, `="url(#${id}-$1)"`)
    .replace(/ style="font-size:(\d+)px;font-family:inherit;"/g, ' font-size="$1"')
    .replace(/ dominant-baseline="central"/g, ' dy="0.35em"')
    .replace(/ (fill|stroke)="(#[0-9a-f]{6})"/gi, (whole, name: string, color: string) => {
      const variable = variables.get(color.toLowerCase())
      return variable ? ` ${name}="${variable}"` : whole
    })
    .replace(/ fill="(?:#000|rgb\(0,0,0\))" fill-opacity="0"/g, ' fill="none"')
}

/** What must not be left in a drawing: colours of the library, objects and numbers that went wrong, addresses. */
const leftover = /\[object|NaN|undefined|Infinity|="#|rgb\(|rgba\(|https?:|<script|<image|<foreignObject|href=|zr\d+-/

/**
 * A drawing of the library as markup for the page: no counters in its ids, no hover rules, inks as CSS variables, and a
 * title and description that are read aloud.
 * @throws QuotebookError INVALID_VALUE when something is left that does not belong on the page
 */
export function pageSvg(drawn: string, about: { id: string; title: string; desc: string }): string {
  const { id } = about
  const body = drawn
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<rect [^>]*fill="none"[^>]*><\/rect>/, '')
    .replace(/(<clipPath[^>]*>\s*<path [^>]*?) fill="[^"]*"/g, '$1')
    .replace(/<[^>]+>/g, (markup) => tag(markup, id))
    .replace(/<path (?=[^>]*fill="none")(?=[^>]*stroke-width="0")[^>]*><\/path>/g, '')
    .replace(/>\s*\n\s*</g, '>\n<')
    .trim()
  const open = /^<svg width="[\d.]+" height="[\d.]+" (viewBox="[^"]*")>/
  const tags = (body.match(/<[^>]+>/g) ?? []).join('')
  const wrong = leftover.exec(tags)
  const found = wrong ? tags.slice(Math.max(0, wrong.index - 80), wrong.index + 40) : 'no svg element'
  if (wrong || !open.test(body)) {
    throw new QuotebookError('INVALID_VALUE', `the chart '${id}' came out wrong: ${found}`)
  }
  return body.replace(
    open,
    (_, box: string) =>
      `<svg ${box} role="img" aria-labelledby="${id}-title ${id}-desc">` +
      `<title id="${id}-title">${escaped(about.title)}</title><desc id="${id}-desc">${escaped(about.desc)}</desc>`,
  )
}
