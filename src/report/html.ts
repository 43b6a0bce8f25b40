import { escaped } from '../show/escaped.js'

/** Markup that is safe to put into a page as it stands. Only `html` and `trusted` make it. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
  toString(): string {
    return this.markup
  }
}

/** What a template takes: text and numbers are escaped, markup and arrays of it are not, nothing gives nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

function markupOf(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.markup
  if (typeof part === 'object') return part.map(markupOf).join('')
  return escaped(String(part))
}

/** A template that escapes whatever is put into it. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((out, text, i) => out + markupOf(parts[i - 1]) + text))
}

/** Markup that was made elsewhere, taken at its word: the style sheet and drawn charts, nothing from outside. */
export function trusted(markup: string): Html {
  return new Html(markup)
}
