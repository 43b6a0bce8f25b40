import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import root from '#root'
import { paletteStyle } from './palette.js'

let rules: string | undefined

/** The look of all pages: the colours, and the rules of the one stylesheet. */
export function pageStyle(): string {
  rules ??= readFileSync(join(root, 'src', 'research', 'report', 'page.css'), 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) /g, '$1')
    .trim()
  return `${paletteStyle}${rules}`
}
