import type { Html, Section } from '../html.js'
import { htmlDocument } from '../html-document.js'
import type { RunSheet } from './sheet-context.js'
import { sheetManifest } from './sheet-manifest.js'
import { sheetStyle } from './sheet-style.js'

/** The page of a tear sheet. */
export function sheetPage(
  sheet: RunSheet,
  parts: { title: string; header: Html; sections: readonly Section[]; onPaper: readonly Section[] },
): string {
  const { say, options } = sheet
  return htmlDocument({
    ...parts,
    manifest: sheetManifest(sheet),
    lang: options.lang === 'zh' ? 'zh-CN' : 'en',
    ownStyle: sheetStyle,
    contents: say('contents'),
    footer: say('footer'),
  })
}
