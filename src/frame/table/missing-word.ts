/** What programs write where nothing is, in any case. */
const missingWords: ReadonlySet<string> = new Set('|-|--|---|—|——|none|nan|nat|na|n/a|<na>|null|#n/a|#na'.split('|'))

/** Whether a text stands for nothing in a column that is no text: `--`, `NaN`, `NULL`, blanks. */
export function isMissingWord(text: string): boolean {
  return text.length < 10 && missingWords.has(text.trim().toLowerCase())
}
