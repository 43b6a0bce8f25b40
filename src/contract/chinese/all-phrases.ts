import { chineseNote, chineseNotes } from '../chinese-notes.js'
import { type Chinese, inChinese } from '../sentence.js'
import { cliPhrases } from './cli-phrases.js'
import { dataPhrases } from './data-phrases.js'
import { framePhrases } from './frame-phrases.js'
import { researchPhrases } from './research-phrases.js'
import { serverPhrases } from './server-phrases.js'
import { sharedPhrases } from './shared-phrases.js'
import { systemInChinese } from './system-words.js'

/** All that Quotebook says, in Chinese by templates. It is large: `error-message.ts` loads it when Chinese is asked for. */
export const allPhrases: Chinese = {
  ...sharedPhrases,
  ...framePhrases,
  ...dataPhrases,
  ...researchPhrases,
  ...serverPhrases,
  ...cliPhrases,
  ...chineseNotes,
}

/** An error or a note in Chinese as far as it is known. */
export function allInChinese(text: string): string {
  return systemInChinese(chineseNote(inChinese(text, allPhrases)))
}
