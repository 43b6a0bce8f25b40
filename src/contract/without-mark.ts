/** A text of JSON without the mark that editors of Windows put before it, which JSON.parse refuses. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
