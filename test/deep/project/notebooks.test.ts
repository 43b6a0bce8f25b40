// Deep: runs all notebooks, and those that fail in every way; Jupyter where it is there.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sampleDir } from '../../../src/connect.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { main } from '../../helper/cli.js'
import { hostileArchive } from '../../helper/hostile-archive.js'
import { serviceOver } from '../../helper/own-service.js'
import { hasPythonPackage, python } from '../../helper/python-package.js'
import { tempDir } from '../../helper/temp.js'

const folder = join(process.cwd(), 'notebooks')
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.ipynb'))
  .sort()
const inPython = '10-from-python.ipynb'
const names = all.filter((name) => name !== inPython)

interface Cell {
  readonly cell_type: 'code' | 'markdown'
  readonly id?: string
  readonly source: readonly string[]
  readonly outputs?: readonly unknown[]
  readonly execution_count?: number | null
}
const textOf = ({ source }: Cell): string => source.join('')
const cellsOf = (name: string): Cell[] => JSON.parse(readFileSync(join(folder, name), 'utf8')).cells
const codeOf = (name: string): string[] =>
  cellsOf(name)
    .filter(({ cell_type }) => cell_type === 'code')
    .map(textOf)

interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const { QUOTEBOOK_SOURCE: _, ...plain } = process.env

/** Seconds that no cell takes, on a machine however busy. */
const patient = ['--timeout', '900']

/** The command as a user starts it, in surroundings that must not matter. */
function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [main, 'notebook', 'run', ...args],
      { env: { ...plain, LC_ALL: 'C', ...env }, encoding: 'utf8' },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

const pageOf = (dir: string, name: string): string =>
  readFileSync(join(dir, `${basename(name, '.ipynb')}.html`), 'utf8')

/** Every number of the finding is among what the cells have shown. */
function expectFound(name: string, shown: string): void {
  const numbers = (shown.match(/-?\d+(,\d{3})*(\.\d+)?/g) ?? []).map((text) => Number(text.replaceAll(',', '')))
  const words = textOf(cellsOf(name).at(-1) as Cell).replace(/`[^`]*`/g, '')
  const numerals = words.match(/(?<![\w.:])-?\d+(,\d{3})*(\.\d+)?(?![\w:]|\.\w)/g) ?? []
  expect(numerals.length).toBeGreaterThan(2)
  for (const numeral of numerals) {
    if (/^0\d/.test(numeral)) {
      expect(shown).toContain(numeral)
      continue
    }
    const bare = numeral.replaceAll(',', '')
    const digits = bare.split('.')[1]?.length ?? 0
    expect(
      numbers.some((number) => Math.abs(number).toFixed(digits) === bare.replace('-', '')),
      numeral,
    ).toBe(true)
    if (bare.startsWith('-'))
      expect(
        numbers.some((number) => number.toFixed(digits) === bare),
        numeral,
      ).toBe(true)
  }
}

const [one, two] = [tempDir(), tempDir()]

describe('the committed notebooks', () => {
  test('there are six at least, numbered', () => {
    expect(names.length).toBeGreaterThanOrEqual(6)
    expect(all.map((name) => Number(name.slice(0, 2)))).toEqual(all.map((_, i) => i + 1))
  })

  test.each(names)('%s: a title and its why first, no outputs, ids, nothing imported but quotebook', (name) => {
    const cells = cellsOf(name)
    expect(textOf(cells[0] as Cell)).toMatch(/^# .+\n\n.+\. .+/s)
    expect(cells.at(-1)?.cell_type).toBe('markdown')
    const ids = cells.map(({ id }) => id)
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(new Set(ids).size).toBe(ids.length)
    const code = cells.filter(({ cell_type }) => cell_type === 'code')
    expect(code.length).toBeGreaterThanOrEqual(5)
    expect(code.length).toBeLessThanOrEqual(11)
    for (const { outputs, execution_count } of code) expect([outputs, execution_count]).toEqual([[], null])
    const imports = code.map(textOf).flatMap((text) => [...text.matchAll(/from '([^']+)'|(?:require|import)\(/g)])
    expect(imports.map(([, from]) => from)).toEqual(['quotebook'])
  })

  test('their cells in a row are one program for the strict compiler', () => {
    const dir = tempDir()
    symlinkSync(join(folder, 'node_modules'), join(dir, 'node_modules'))
    writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
    const files = names.map((name) => name.replace('.ipynb', '.ts'))
    for (const [i, name] of names.entries()) writeFileSync(join(dir, files[i] as string), codeOf(name).join('\n;\n'))
    writeFileSync(join(dir, 'wrong.ts'), `${codeOf(names[0] as string).join('\n')}\nmarket.table.convertibleDayly()\n`)
    const flags = '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck'
    const options = `${flags} --target es2022 --lib es2022 --module nodenext --types node --pretty false`.split(' ')
    const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...files, 'wrong.ts'], {
      cwd: dir,
      encoding: 'utf8',
    })
    const said = stdout.split('\n').filter((line) => /^\S+\.ts\(/.test(line))
    expect(said.filter((line) => !line.startsWith('wrong.ts'))).toEqual([])
    expect(said.join()).toMatch(/wrong\.ts.*convertibleDayly/)
  })
})

describe('all of them, twice, in different surroundings: on the sample, and on a service over it', () => {
  const done: Run[] = []
  beforeAll(async () => {
    const service = await serviceOver(new Archive(sampleDir, 'sample'))
    done.push(
      await run(['--out', one, ...patient], { TZ: 'Asia/Kathmandu', LANG: 'zh_CN.UTF-8', LC_ALL: 'zh_CN.UTF-8' }),
    )
    done.push(
      await run(['--out', two, '--source', service.url, ...patient], {
        TZ: 'America/Los_Angeles',
        LANG: 'C',
        LC_ALL: 'C',
        FORCE_COLOR: '1',
        COLUMNS: '40',
      }),
    )
    await service.close()
  })

  test('they run through, a line for each', () => {
    for (const { code, stdout, stderr } of done) {
      // Where nobody sees a bar, a line every half a minute says how far it is.
      const [skipped = '', ...more] = stderr.split('\n')
      expect(skipped).toMatch(
        /10-from-python\.ipynb: skipped, it is for Python 3|10-from-python\.ipynb：已跳过，它用 Python 3/,
      )
      expect([code, more.join('\n')]).toEqual([
        0,
        expect.stringMatching(/^(?:(?:notebooks: |笔记本：)\d+\/\d+(?:, |，).+\n)*$/),
      ])
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => basename(line, '.html')),
      ).toEqual(names.map((name) => basename(name, '.ipynb')))
    }
  })

  test.each(names)('%s: the same bytes, and nothing of this machine in them', (name) => {
    const page = pageOf(one, name)
    // The manifest says what the source is called, and with it the checksum of the page.
    const withoutManifest = (text: string): string => text.replace(/<meta name="quotebook-manifest".*\n/, '')
    expect(withoutManifest(page)).not.toBe(page)
    expect(withoutManifest(pageOf(two, name))).toBe(withoutManifest(page))
    expect(page).not.toContain(process.cwd())
    expect(page).not.toContain('class="failure"')
  })

  test.each(names)(
    '%s: tables and a chart are in it, nothing is fetched, nothing runs but the script of its charts',
    (name) => {
      const page = pageOf(one, name)
      expect(page).toMatch(/<table/)
      expect(page).toMatch(/<img alt="[^"]{20,}"[^>]* src="data:image\/svg\+xml;base64,/)
      expect(page).toMatch(
        /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[\w+/]{43}='; img-src data:; style-src 'unsafe-inline'"/,
      )
      const scripts = [...page.matchAll(/<script([^>]*)>/g)].map(([, about]) => about)
      expect(scripts).toEqual([' type="application/json" id="plots"', ''])
      const still = page.replace(/<script[^>]*>[\s\S]*?<\/script>/g, '')
      expect(still).not.toMatch(/<(script|iframe|link|object|embed)\b|<\w[^>]*\son\w+=|(src|href)="(?!data:|#)/)
    },
  )

  test.each(names)('%s: the finding says what the numbers show', (name) => {
    const outputs = pageOf(one, name).match(/<div class="outputs">[\s\S]*?\n<\/div>\n<\/section>/g) ?? []
    const shown = outputs
      .join('\n')
      .replace(/src="data:[^"]*"/g, '')
      .replace(/<[^>]*>/g, ' ')
    expectFound(name, shown)
  })

  test('a hostile title is text', async () => {
    const [first = '', out] = [names[0], tempDir()]
    const source = await hostileArchive()
    expect((await run([join(folder, first), '--out', out, '--source', source, ...patient])).code).toBe(0)
    const page = pageOf(out, first)
    expect(page).toMatch(/&lt;(script|img)\b/)
    const [, some = ''] = /(\d+) of 300 headlines carry markup/.exec(page) ?? []
    expect(Number(some)).toBeGreaterThan(0)
  })
})

/** Beside a service, in its own folder: cells in one interpreter, as Jupyter would run them. */
test.skipIf(!hasPythonPackage('pandas'))(
  'the notebook in Python asks a service, and its finding is what it shows',
  async () => {
    const service = await serviceOver(new Archive(sampleDir, 'sample'))
    const cwd = tempDir()
    const { stdout, stderr, failed } = await new Promise<{ stdout: string; stderr: string; failed: unknown }>(
      (resolve) => {
        const args = [join(process.cwd(), 'test/fixture/run-cells.py'), join(folder, inPython)]
        const env = { ...plain, PYTHONPATH: cwd, QUOTEBOOK_URL: service.url, MPLBACKEND: 'agg' }
        execFile(python, args, { cwd, env }, (failed, stdout, stderr) => resolve({ failed, stdout, stderr }))
      },
    )
    await service.close()
    expect([failed, stderr]).toEqual([null, ''])
    expect(readFileSync(join(cwd, 'quotebook.py'), 'utf8')).toBe(readFileSync('clients/python/quotebook.py', 'utf8'))
    expect(stdout).toMatch(/complete: True/)
    expect(stdout).toMatch(/^st: no rows on .*partial=true takes what there is$/m)
    expectFound(inPython, stdout)
    const cells = cellsOf(inPython)
    expect(cells.filter(({ cell_type }) => cell_type === 'code').every((cell) => cell.outputs?.length === 0)).toBe(true)
  },
)

const good = "console.log('ran')"
/** Cells of a small notebook, and what the runner must say of it. */
const failing: Record<string, { cells: string[]; tags?: string[]; said: RegExp }> = {
  throws: {
    cells: [good, 'const x = 1\n\nthrow new RangeError("too far: " + x)'],
    said: /cell 2 line 3: RangeError: too far: 1 \| throw new/,
  },
  'throws-later-in-a-function': {
    cells: [
      'function deep(n: number): number {\n  return n === 0 ? Number(null.x) : deep(n - 1)\n}'.replace(
        'null.x',
        '(null as any).x',
      ),
      'deep(3)',
    ],
    said: /cell 2 \(from cell 1 line 2\): TypeError: Cannot read/,
  },
  type: {
    cells: [good, "const word: string = 'a'\nword.toFixd(2)"],
    said: /cell 2 line 2: type error: Property 'toFixd' does not exist .*\| word\.toFixd/,
  },
  rejection: {
    cells: ["Promise.reject(new Error('dropped'))\n1", good],
    said: /cell 1 line 1: unhandled rejection: Error: dropped/,
  },
  exits: { cells: [`${good}\nprocess.exit(0)`], said: /cell 1: exit: the cell ended the process \(exit code 0\)/ },
  killed: {
    cells: ["process.kill(process.pid, 'SIGKILL')\nawait new Promise(() => {})"],
    said: /cell 1: crash: the process died \(SIGKILL\)/,
  },
  'raises-nothing': {
    cells: [good, good],
    tags: ['raises-exception'],
    said: /cell 1: no error: the cell is tagged raises-exception/,
  },
}
const hanging: Record<string, { cells: string[]; said: RegExp }> = {
  'hangs-in-await': {
    cells: ['await new Promise(() => setInterval(() => {}, 100))'],
    said: /cell 1: hang: the cell did not end within 12 s/,
  },
  spins: { cells: [`${good}\nwhile (true) {}`], said: /cell 1: hang: the cell did not end within 12 s/ },
  'leaves-a-timer': {
    cells: ['setInterval(() => {}, 1000)\n1'],
    said: /cell 1: hang: work is left over: .* 12 s after the last cell/,
  },
}

function notebook(dir: string, name: string, cells: readonly string[], tags: readonly string[] = []): string {
  const path = join(dir, `${name}.ipynb`)
  const made = cells.map((source, i) => ({
    cell_type: 'code',
    execution_count: null,
    id: `c${i}`,
    metadata: i === 0 && tags.length > 0 ? { tags } : {},
    outputs: [],
    source,
  }))
  writeFileSync(path, JSON.stringify({ cells: made, metadata: {}, nbformat: 4, nbformat_minor: 5 }))
  return path
}

describe('a notebook that is wrong', () => {
  const dir = tempDir()
  const all = { ...failing, ...hanging }
  const runs: Run[] = []
  beforeAll(async () => {
    symlinkSync(join(folder, 'node_modules'), join(dir, 'node_modules'))
    const files = (of: typeof failing) =>
      Object.entries(of).map(([name, { cells, tags }]) => notebook(dir, name, cells, tags))
    const out = join(dir, 'out')
    const both = [run([...files(failing), '--out', out]), run([...files(hanging), '--out', out, '--timeout', '12'])]
    runs.push(...(await Promise.all(both)))
  })

  test.each(Object.entries(all))('%s: one line says where and what, and the page shows it', (name, { said }) => {
    const start = `quotebook: ${join(dir, name)}.ipynb `
    const lines = runs.flatMap(({ stderr }) => stderr.split('\n')).filter((line) => line.startsWith(start))
    expect(lines.length).toBe(1)
    expect(lines[0]).toMatch(said)
    expect(lines[0]?.slice(start.length)).not.toContain(dir)
    const page = pageOf(join(dir, 'out'), name)
    expect(page).toContain('This notebook failed in cell')
    expect(page).toContain('class="failure"')
  })

  test('what a cell had said before stays, and what was not reached is marked', () => {
    expect(pageOf(join(dir, 'out'), 'spins')).toContain('<pre class="stdout" tabindex="0">ran</pre>')
    expect(pageOf(join(dir, 'out'), 'rejection')).toContain('Not run.')
  })

  test('an error that is asked for is shown, and the cells after it run', async () => {
    const path = notebook(dir, 'asked-for', ["throw new Error('asked for')", good], ['raises-exception'])
    const { code, stderr } = await run([path, '--out', join(dir, 'out')])
    expect([code, stderr]).toEqual([0, ''])
    expect(pageOf(join(dir, 'out'), 'asked-for')).toMatch(
      /Error: asked for[\s\S]*<pre class="stdout" tabindex="0">ran<\/pre>/,
    )
  })
})

test('Ctrl-C ends the kernels, and says so', async () => {
  const dir = tempDir()
  symlinkSync(join(folder, 'node_modules'), join(dir, 'node_modules'))
  const begun = join(dir, 'begun')
  const sleeps = `import { writeFileSync } from 'fs'
writeFileSync('begun', String(process.pid))
await new Promise((resolve) => setTimeout(resolve, 600_000))`
  const args = [main, 'notebook', 'run', notebook(dir, 'sleeps', [sleeps]), '--out', join(dir, 'out')]
  const child = spawn(process.execPath, args, { env: { ...plain, LC_ALL: 'C' }, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  while (!existsSync(begun) || readFileSync(begun, 'utf8') === '')
    await new Promise((resolve) => setTimeout(resolve, 50))
  const kernel = Number(readFileSync(begun, 'utf8'))
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  expect([code, said]).toEqual([130, 'quotebook: interrupted; pages that were finished stay\n'])
  const isAlive = (): boolean => {
    try {
      return process.kill(kernel, 0)
    } catch {
      return false
    }
  }
  while (isAlive()) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(existsSync(join(dir, 'out'))).toBe(false)
})

const jupyter = spawnSync('jupyter-nbconvert', ['--version'], { encoding: 'utf8' })
const hasJupyter = jupyter.status === 0

test.skipIf(hasJupyter)('Jupyter is there', ({ skip }) => {
  if (process.env.CI) throw new Error('no jupyter-nbconvert found; Debian: apt-get install jupyter-nbconvert')
  skip('no jupyter-nbconvert found; Debian: apt-get install jupyter-nbconvert')
})

test.runIf(hasJupyter)(
  'Jupyter runs a notebook with the committed kernel spec, and shows what our runner shows',
  async () => {
    const dir = tempDir()
    const [name = ''] = names
    await new Promise<void>((resolve, reject) => {
      execFile(
        'jupyter-nbconvert',
        ['--to', 'html', '--execute', '--ExecutePreprocessor.timeout=900', '--output-dir', dir, join(folder, name)],
        { env: { ...process.env, JUPYTER_PATH: join(folder, '.jupyter'), NODE_OPTIONS: '' } },
        (error, _, stderr) => (error ? reject(new Error(stderr)) : resolve()),
      )
    })
    const page = pageOf(dir, name)
    const tables = (html: string): string[] => html.match(/<table[\s\S]*?<\/table>/g) ?? []
    const drawings = (html: string): string[] => html.match(/data:image\/svg\+xml;base64,[\w+/=]+/g) ?? []
    const out = tempDir()
    expect((await run([join(folder, name), '--out', out, ...patient])).code).toBe(0)
    const ours = pageOf(out, name)
    expect(drawings(ours).length).toBeGreaterThan(0)
    // Jupyter has a theme of its own, which need not be that of the screen.
    const light = (drawing: string): string =>
      Buffer.from(drawing.split(',')[1] as string, 'base64')
        .toString()
        .replace(/<style>@media \(prefers-color-scheme:dark\)[^<]*<\/style>/, '')
    for (const drawing of drawings(ours)) expect(drawings(page).map(light)).toContain(light(drawing))
    expect(tables(ours).length).toBeGreaterThan(2)
    expect(tables(page)).toEqual(tables(ours))
    expect(page).not.toMatch(/UnhandledPromiseRejection|UncaughtException|output_error/)
    expect(page).not.toContain('data-mime-type="application/vnd.jupyter.stderr"')
  },
)
