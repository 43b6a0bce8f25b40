import type { Html, Section } from '../html.js'
import { htmlDocument } from '../html-document.js'
import type { RunSheet } from './sheet-context.js'
import { sheetStyle } from './sheet-style.js'

/** The page of a tear sheet. */
export function sheetPage(
  { say, options }: RunSheet,
  parts: { title: string; header: Html; sections: readonly Section[]; onPaper: readonly Section[] },
): string {
  return htmlDocument({
    ...parts,
    lang: options.lang === 'zh' ? 'zh-CN' : 'en',
    ownStyle: sheetStyle,
    contents: say('contents'),
    footer: say('footer'),
  })
}
