import { pathToFileURL } from 'node:url'
import { tempFile } from '../../helper/temp.js'

/** What a command is started with so that its clock begins at a moment. */
export function clockAt(moment: string): NodeJS.ProcessEnv {
  const text = `const now = Date.now\nconst off = Date.parse('${moment}') - now()\nDate.now = () => now() + off\n`
  return { NODE_OPTIONS: `--import=${pathToFileURL(tempFile('clock.mjs', text))}` }
}
