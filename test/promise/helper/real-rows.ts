import { readFileSync } from 'node:fs'

export type Cells = Record<string, string | number | null>

/** Lines of a file of real rows as objects; numbers but in the columns named. */
export function realRows(file: string, texts: readonly string[]): Cells[] {
  const [head = '', ...lines] = readFileSync(`test/fixture/real/${file}`, 'utf8').trim().split('\n')
  const names = head.split(',')
  const cellOf = (name: string, cell: string) => (cell === '' ? null : texts.includes(name) ? cell : Number(cell))
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, i) => [names[i] ?? '', cellOf(names[i] ?? '', cell)])),
  )
}
