const note = /^#?\s*(数据来源|资料来源|数据截至|注：|Source:)/

/** Whether a row is a footer that names its source, as Wind and Choice write it: one cell filled, whose text begins as such notes do. */
export function isSourceNote(cells: readonly unknown[]): boolean {
  const [text, ...more] = cells
    .map((cell) => (cell === null || cell === undefined ? '' : String(cell).trim()))
    .filter((one) => one !== '')
  return text !== undefined && more.length === 0 && note.test(text)
}
