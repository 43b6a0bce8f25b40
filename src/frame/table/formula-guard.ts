/** A text that a spreadsheet would take for a formula, also behind quotes put there by us. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Text with one leading quote mark where a spreadsheet would compute it. */
export function guarded(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** The inverse of guarded. */
export function unguarded(text: string): string {
  return text.charCodeAt(0) === 39 && formula.test(text) ? text.slice(1) : text
}
