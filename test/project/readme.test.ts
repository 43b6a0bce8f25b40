import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as door from '../../src/index.js'
import { root } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

const readme = readFileSync('README.md', 'utf8')
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text)

/** A folder whose `quotebook` is the built command. */
function binDir(): string {
  const dir = tempDir()
  const file = join(dir, 'quotebook')
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${root}/dist/esm/cli/main.js' "$@"\n`)
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

function runs({ command, lines }: Shown, env: NodeJS.ProcessEnv): void {
  const ran = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8', env })
  const errors = lines.filter(said).map((line) => line.slice(2))
  expect(holds(ran.stdout, lines.filter(printed)), ran.stdout + ran.stderr).toBe(true)
  if (errors.length > 0) expect(holds(ran.stderr, errors), ran.stderr).toBe(true)
}

/** Blocks with commands: those that begin by serving, and the others. */
function consoles(isService: boolean): (readonly [string | undefined, string])[] {
  const wanted = blocks('console').filter((text) => text.startsWith('$ quotebook serve') === isService)
  return wanted.map((text) => [text.split('\n')[0], text])
}

test.each(consoles(false))('%s', (_, text) => {
  const mine = 'reports/mine'
  if (text.includes(mine)) rmSync(mine, { recursive: true, force: true })
  for (const shown of commandsIn(text)) runs(shown, env())
  if (text.includes(mine)) rmSync(mine, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test.each(consoles(true))('%s, and what is asked of it', async (_, text) => {
  const [serve, ...others] = commandsIn(text)
  const port = String(await freePort())
  const at = ({ command, lines }: Shown): Shown => ({
    command: command.replaceAll('8000', port),
    lines: lines.map((line) => line.replaceAll('8000', port)),
  })
  const { command, lines } = at(serve as Shown)
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd: root, env: env() })
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
    for (const shown of others) runs(at(shown), env())
  } finally {
    child.kill()
  }
})

test.each(blocks('ts').map((code, i) => [i + 1, code] as const))(
  'TypeScript block %i type-checks, runs, and prints what its comments say',
  (_, code) => {
    const dir = tempDir()
    mkdirSync(join(dir, 'node_modules'))
    symlinkSync(root, join(dir, 'node_modules/quotebook'))
    symlinkSync(join(root, 'node_modules/@types'), join(dir, 'node_modules/@types'))
    writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
    writeFileSync(join(dir, 'tour.ts'), code)
    const flags =
      '--strict --skipLibCheck --target es2022 --lib es2022,dom --module nodenext --moduleResolution nodenext --types node'
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), 'tour.ts'], {
      cwd: dir,
    })
    const ran = spawnSync(process.execPath, ['tour.js'], { cwd: dir, encoding: 'utf8' })
    const expected = [...code.matchAll(/\/\/ => (.*)$/gm)].map(([, value]) => value)
    expect(expected.length).toBeGreaterThan(3)
    expect(ran.stderr).toBe('')
    expect(ran.stdout.trimEnd().split('\n')).toEqual(expected)
  },
)

test('the test command is the one that .ci/run calls; the scripts exist', () => {
  const [main = '', tests = ''] = blocks('sh').map((text) => text.trim())
  expect(readFileSync('.ci/run', 'utf8')).toContain(tests)
  expect([main, tests]).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(scripts.start).toContain('report')
})

test('every public name and every command is in it; every link leads somewhere', () => {
  const values = Object.keys(door)
  const types = [...readFileSync('src/index.ts', 'utf8').matchAll(/\btype (\w+)/g)].map(([, name = '']) => name)
  const text = readFileSync('src/index.ts', 'utf8')
  const whole = [...text.matchAll(/export type \{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  )
  for (const name of [...values, ...types, ...whole].filter(Boolean)) expect(readme, name).toContain(`\`${name}\``)
  const commands = spawnSync(process.execPath, ['dist/esm/cli/main.js', '--help'], { encoding: 'utf8' }).stdout
  for (const [, name] of commands.matchAll(/^ {2}(\w+) /gm))
    if (name !== 'help') expect(readme).toContain(`\`quotebook ${name} `)
  for (const [, target = ''] of readme.matchAll(/\]\(([^)]+)\)/g))
    if (!target.startsWith('http')) expect(existsSync(target), target).toBe(true)
})

test('no command names a file that an installed package has not', () => {
  const named = [...blocks('console'), ...blocks('ts')].flatMap((text) => text.match(/[\w./-]+\/[\w./-]+/g) ?? [])
  expect(named.filter((path) => /^(\.\/)?(test|src|notebooks|data)\//.test(path))).toEqual([])
})
