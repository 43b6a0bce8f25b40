import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { main, root } from './cli.js'
import { blocks, firstOf, textOf } from './documents.js'
import { freePort } from './server-process.js'
import { tempDir } from './temp.js'

/** A folder whose `quotebook` is the built command. */
function binDir(): string {
  const dir = tempDir()
  const file = join(dir, 'quotebook')
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(file, 0o755)
  return dir
}

/** Lines that stand, in order and without others between them except where a line is `…`. */
function holds(output: string, shown: readonly string[]): boolean {
  const lines = output.split('\n').map((line) => line.trimEnd())
  const cut = shown.at(-1) === '…'
  const wanted = cut ? shown.slice(0, -1) : shown
  const actual = cut ? lines.slice(0, wanted.length) : lines.filter((line, i) => line !== '' || i < wanted.length)
  return JSON.stringify(actual) === JSON.stringify(wanted)
}

const env = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${binDir()}:${process.env.PATH}`,
  QUOTEBOOK_SOURCE: 'sample',
})
const [said, printed] = [(line: string) => line.startsWith('! '), (line: string) => !line.startsWith('! ')]

interface Shown {
  readonly command: string
  readonly lines: readonly string[]
}

/** The commands of a block with what is shown of each. */
function commandsIn(text: string): Shown[] {
  const parts = text.trimEnd().split(/^\$ /m).slice(1)
  return parts.map((part) => {
    const [command = '', ...lines] = part.trimEnd().split('\n')
    return { command, lines }
  })
}

/** @param cwd a new folder: what commands write there is neither in the checkout nor left for the next run */
function runs({ command, lines }: Shown, cwd: string): void {
  const ran = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8', env: env() })
  const errors = lines.filter(said).map((line) => line.slice(2))
  expect(holds(ran.stdout, lines.filter(printed)), ran.stdout + ran.stderr).toBe(true)
  if (errors.length > 0) expect(holds(ran.stderr, errors), ran.stderr).toBe(true)
}

/** Blocks of documents with commands: those that begin by serving, and the others. */
function consoles(
  of: readonly string[],
  isService: boolean,
): (readonly [document: string, first: string | undefined, text: string])[] {
  const wanted = blocks('console', of).filter(({ text }) => text.startsWith('$ quotebook serve') === isService)
  // What stands in both languages is run once.
  return firstOf(wanted).map(({ document, text }) => [document, text.split('\n')[0], text])
}

/** A folder with the files that a document shows, each as a block with its name: ```ts double-low.ts, ```csv prices.csv */
function folderOf(document: string): string {
  const folder = tempDir()
  for (const [, name = '', text = ''] of textOf(document).matchAll(/^```(?:ts|csv|json) (\S+)\n([\s\S]*?)^```/gm)) {
    if (!existsSync(join(folder, 'node_modules'))) {
      mkdirSync(join(folder, 'node_modules'))
      symlinkSync(root, join(folder, 'node_modules/quotebook'))
    }
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Tests that the commands in these documents print what stands below them. */
export function testConsoles(of: readonly string[]): void {
  test.each(consoles(of, false))('%s: %s', (document, _first, text) => {
    const folder = folderOf(document)
    for (const shown of commandsIn(text)) runs(shown, folder)
  })

  test.each(consoles(of, true))('%s: %s, and what is asked of it', async (_, _first, text) => {
    const [serve, ...others] = commandsIn(text)
    const port = String(await freePort())
    const at = ({ command, lines }: Shown): Shown => ({
      command: command.replaceAll('8000', port),
      lines: lines.map((line) => line.replaceAll('8000', port)),
    })
    const { command, lines } = at(serve as Shown)
    const folder = tempDir()
    const child = spawn('sh', ['-c', `exec ${command}`], { cwd: folder, env: env() })
    let heard = ''
    child.stderr.on('data', (chunk: Buffer) => {
      heard += chunk
    })
    child.stdout.resume()
    try {
      while (heard.split('\n').length <= lines.length) await once(child.stderr, 'data')
      expect(
        holds(
          heard,
          lines.map((line) => line.slice(2)),
        ),
        heard,
      ).toBe(true)
      expect(others.length).toBeGreaterThan(0)
      for (const shown of others) runs(at(shown), folder)
    } finally {
      child.kill()
    }
  })
}
