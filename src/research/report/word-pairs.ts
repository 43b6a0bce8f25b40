/** What is looked for in an English text, and what stands there in Chinese; in this order. */
export type WordPairs = readonly (readonly [english: RegExp, chinese: string])[]

/** A text with each part that is known in Chinese; a text of which nothing is known stays as it is. */
export function withPairs(text: string, pairs: WordPairs): string {
  return pairs.reduce((said, [english, chinese]) => said.replace(english, chinese), text)
}
