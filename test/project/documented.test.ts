import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textOf } from '../helper/documents.js'

/** Text of every file below a folder, without that of locales. */
const textsBelow = (folder: string, ending = /\.(ts|mjs|cjs|py)$/): string[] =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => ending.test(path) && statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))

const found = (texts: readonly string[], pattern: RegExp): string[] =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, what = '']) => what)))].sort()

/** First cells of the tables of a page in both languages, as far as they are of a form. */
const firstCells = (page: string, form: RegExp): [english: string[], chinese: string[]] => [
  found([textOf(`docs/guide/${page}.md`)], form),
  found([textOf(`docs/guide/${page}.zh-CN.md`)], form),
]

test('configuration names every variable and every exit code, and no other', () => {
  const variables = found([...textsBelow('src'), ...textsBelow('clients/python')], /\b(QUOTEBOOK_[A-Z_]*[A-Z])\b/g)
  expect(variables.length).toBeGreaterThan(10)
  for (const page of firstCells('configuration', /^\| `(QUOTEBOOK_\w+)` \|/gm)) expect(page).toEqual(variables)

  const [, body = ''] = /^export function exitCode\b(.*?)^}/ms.exec(textOf('src/cli/program.ts')) ?? []
  const commands = [...textsBelow('src/cli/command'), textOf('src/cli/main.ts')]
  const codes = [
    ...found([body], /(?:\?|:|return|exit\() ?(\d+)\b/g),
    ...found(commands, /process\.exit(?:Code = |\()(\d+)/g),
  ]
  expect(codes).toContain('130')
  for (const page of firstCells('configuration', /^\| (\d+) \|/gm)) expect(page).toEqual([...new Set(codes)].sort())
})

test('troubleshooting has an entry for every code of an error, and for no other', () => {
  const [, union = ''] = /^export type ErrorCode =(.*?)\n\n/ms.exec(textOf('src/contract/error.ts')) ?? []
  const codes = found([union], /'([A-Z_]+)'/g)
  expect(codes.length).toBeGreaterThan(20)
  for (const page of firstCells('troubleshooting', /^\| `([A-Z_]+)` \|/gm)) expect(page).toEqual(codes)
})
