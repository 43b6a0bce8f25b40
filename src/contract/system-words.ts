import { systemReasons } from './chinese-text.js'

/** A text with what the system said of files and connections in it, that in Chinese. */
export function systemInChinese(text: string): string {
  return systemReasons().reduce((said, [english, chinese]) => said.replace(english, chinese), text)
}
