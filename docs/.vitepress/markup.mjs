/**
 * Text from the catalogue, a docstring or a row as Markdown that shows it as it is: only code between backticks is left as such.
 * What would open a template of Vue is taken apart in `config.mjs`, for all pages.
 */
export function plain(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part, i) =>
      i % 2 === 1 ? part : part.replaceAll(/[\\`*_[\]<>&#~!|:]/g, (mark) => `&#${mark.charCodeAt(0)};`),
    )
    .join('')
}

/** A table. A bar in code would end its cell. */
export function grid(heads, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line), ''].join('\n')
}
