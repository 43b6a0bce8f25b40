import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { main, root } from './cli.js'
import { here } from './here.js'
import { python } from './python-package.js'
import { tempDir } from './temp.js'

const pagesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)

/** For users: the READMEs and the pages, all of them in two languages; the glossary is in both. Walks are pages whose commands go on from each other. */
export const walks = pagesIn('docs/tutorial')
export const documents = [
  'README.md',
  'README.zh-CN.md',
  ...pagesIn('docs'),
  ...walks,
  ...pagesIn('docs/guide'),
  ...pagesIn('docs/api'),
]
export const isChinese = (document: string): boolean => document.endsWith('.zh-CN.md')

export const textOf = (document: string): string => readFileSync(document, 'utf8')

/** A program, or what a shell or a server reads, without the words of its comments: what is alike in both languages. */
export const codeOf = (text: string): string =>
  text.replaceAll(/ *(?:\/\/ (?!=>)|\/\*\* |<!-- |(?<![^\s])# ).*/g, '').replaceAll(/^ *\n/gm, '')

/** Each text once, the first of those that are the same to `of`. */
export const firstOf = <T extends { readonly text: string }>(
  all: readonly T[],
  of = (text: string): string => text,
): T[] => all.filter(({ text }, i) => all.findIndex((one) => of(one.text) === of(text)) === i)

/** Code blocks of a language in all documents, or in some. */
export function blocks(
  language: string,
  of: readonly string[] = documents,
): { readonly document: string; readonly text: string }[] {
  const fence = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm')
  return of.flatMap((document) => [...textOf(document).matchAll(fence)].map(([, text = '']) => ({ document, text })))
}

/** A folder whose `quotebook` is the built command, and whose `python3` is the one that has pandas. */
function binDir(): string {
  const dir = tempDir()
  for (const [name, line] of [
    ['quotebook', `exec '${process.execPath}' '${main}' "$@"`],
    ['python3', `exec ${python} "$@"`],
  ] as const) {
    writeFileSync(join(dir, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(dir, name), 0o755)
  }
  return dir
}

/** Lines that stand, in order and without others between them; after a last line `…` more may come. */
export function holds(output: string, shown: readonly string[]): boolean {
  const lines = output.split('\n').map((line) => line.trimEnd())
  const cut = shown.at(-1) === '…'
  const wanted = cut ? shown.slice(0, -1) : shown
  const actual = cut ? lines.slice(0, wanted.length) : lines.filter((line, i) => line !== '' || i < wanted.length)
  return JSON.stringify(actual) === JSON.stringify(wanted)
}

export const env = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${binDir()}:${process.env.PATH}`,
  PYTHONDONTWRITEBYTECODE: '1',
  QUOTEBOOK_SOURCE: 'sample',
})
const [said, printed] = [(line: string) => line.startsWith('! '), (line: string) => !line.startsWith('! ')]

export interface Shown {
  readonly command: string
  readonly lines: readonly string[]
}

/** The commands of a block with what is shown of each. */
export function commandsIn(text: string): Shown[] {
  const parts = text.trimEnd().split(/^\$ /m).slice(1)
  return parts.map((part) => {
    const [command = '', ...lines] = part.trimEnd().split('\n')
    return { command, lines }
  })
}

/** Of rows alone, without a shell: run in this process, which has read the command. */
const isPlain = /^quotebook (check|datasets|import|query|status|sync) (?!.*--lang)[\w ,.:=/-]+$/

async function ranIn(command: string, cwd: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  if (!isPlain.test(command)) return spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8', env: env() })
  const before = process.cwd()
  process.chdir(cwd)
  try {
    const { out, err } = await here(...command.split(/ +/).slice(1))
    return { stdout: out, stderr: err }
  } finally {
    process.chdir(before)
  }
}

/** @param cwd a new folder: what commands write there is neither in the checkout nor left for the next run */
export async function runs({ command, lines }: Shown, cwd: string): Promise<void> {
  const { stdout, stderr } = await ranIn(command, cwd)
  const errors = lines.filter(said).map((line) => line.slice(2))
  expect(holds(stdout, lines.filter(printed)), `$ ${command}\n${stdout}${stderr}`).toBe(true)
  if (errors.length > 0) expect(holds(stderr, errors), `$ ${command}\n${stderr}`).toBe(true)
}

/** Starts what goes on until it is ended, and waits for the lines that it is shown to say first. */
export async function starts({ command, lines }: Shown, cwd: string): Promise<{ readonly end: () => Promise<void> }> {
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd, env: env() })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  child.stdout.resume()
  let heard = ''
  const isSaid = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      heard += chunk
      if (heard.split('\n').length > lines.length) resolve()
    })
  })
  await Promise.race([isSaid, ended])
  const shown = lines.map((line) => line.slice(2))
  const end = async (): Promise<void> => {
    child.kill()
    await ended
  }
  if (!holds(heard, shown)) await end()
  expect(holds(heard, shown), heard).toBe(true)
  return { end }
}

/** The same on another port than the one that pages name. */
export const onPort = (port: number, { command, lines }: Shown): Shown => ({
  command: command.replaceAll('8000', String(port)),
  lines: lines.map((line) => line.replaceAll('8000', String(port))),
})

/** A folder with the files that a document shows, each as a block with its name: ```ts double-low.ts */
export function folderOf(document: string): string {
  const folder = tempDir()
  for (const [, name = '', text = ''] of textOf(document).matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```/gm)) {
    if (!existsSync(join(folder, 'node_modules'))) {
      mkdirSync(join(folder, 'node_modules'))
      symlinkSync(root, join(folder, 'node_modules/quotebook'))
    }
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}
