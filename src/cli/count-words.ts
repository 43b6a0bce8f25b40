import type { Manifest } from '../data/archive/manifest-entries.js'
import { inLanguageOf, say } from './chosen-language.js'

/** Things that are counted: one, several, and in Chinese. */
const counted = {
  row: ['row', 'rows', '{n} 行'],
  file: ['file', 'files', '{n} 个文件'],
  fault: ['fault', 'faults', '{n} 处错误'],
  note: ['note', 'notes', '{n} 条提示'],
  'other reason': ['other reason', 'other reasons', '另有 {n} 个原因'],
} as const

/** `1 row`, `2 rows`. */
export function numbered(n: number, what: keyof typeof counted): string {
  const [one, several, zh] = counted[what]
  return inLanguageOf(`${n} ${n === 1 ? one : several}`, zh.replace('{n}', String(n)))
}

/** What an archive holds: rows of its datasets, and rows of ticks beside them. */
export function heldWords({ datasets, ticks }: Pick<Manifest, 'datasets' | 'ticks'>): string {
  const sum = (all: readonly { readonly rows: number }[]): number => all.reduce((rows, one) => rows + one.rows, 0)
  const rows = sum(Object.values(datasets).flatMap(({ parts }) => parts))
  const count = Object.keys(datasets).length
  return say(ticks.length > 0 ? 'held with ticks' : 'held', { rows, count, ticks: sum(ticks), days: ticks.length })
}
