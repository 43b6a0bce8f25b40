// Deep: a writer in a process of its own stands still before each of its steps.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { importFiles } from '../../../../src/data/archive/import/import-files.js'
import { readManifest } from '../../../../src/data/archive/manifest.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { bundled } from '../../../helper/bundle.js'
import { tempDir, tempFile } from '../../../helper/temp.js'

const bond = datasetOf('convertible_daily')
let program = ''

beforeAll(async () => {
  program = await bundled(`
import { importFiles } from './src/data/archive/import/import-files.js'
import { datasetOf } from './src/contract/catalogue.js'
const [dir, file] = process.argv.slice(2)
try {
  await importFiles(dir, datasetOf('convertible_daily'), [file])
  console.log('committed')
} catch (error) {
  console.log(['failed', error.code, error.name, error.message].join('|'))
}
`)
})

/** Rows of a day; `first` gives each writer's closes. */
const rows = (days: readonly string[], close: number) =>
  tempFile(
    'rows.csv',
    `tradedate,symbol,code,close\n${days.flatMap((day) => [1, 2].map((n) => `${day},00000${n},00000${n}.SZ,${close}`)).join('\n')}\n`,
  )

class Writer {
  text = ''
  readonly #process: ChildProcess
  readonly #exit: Promise<unknown>

  constructor(dir: string, file: string, at: number) {
    this.#process = spawn('node', ['--import', join(process.cwd(), 'test/helper/step.mjs'), program, dir, file], {
      env: { ...process.env, STOP_AT: String(at), STOP_IN: dir },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#process.stdout?.on('data', (piece) => {
      this.text += piece
    })
    this.#exit = once(this.#process, 'exit')
  }

  /** Ends when the process stands still, or has ended. */
  async still(): Promise<boolean> {
    while (!/stopped before|steps\n/.test(this.text)) await new Promise((resolve) => setTimeout(resolve, 5))
    return this.text.includes('stopped before')
  }

  async goOn(): Promise<void> {
    this.#process.kill('SIGCONT')
    await this.#exit
  }
}

/** Ten seconds and more go by for all that waits to be renewed. */
function age(dir: string): void {
  const old = new Date(Date.now() - 60_000)
  for (const name of readdirSync(dir).filter((one) => one.startsWith('.lock'))) {
    for (const inner of readdirSync(join(dir, name))) utimesSync(join(dir, name, inner), old, old)
    utimesSync(join(dir, name), old, old)
  }
}

async function closes(dir: string): Promise<Record<string, unknown[]>> {
  const params = { startdate: '20260601', enddate: '20260831' }
  const all = toObjects(await new Archive(dir, 'test').query(bond, params, { whole: true }))
  const days = [...new Set(all.map(({ tradedate }) => String(tradedate)))]
  return Object.fromEntries(
    days.map((day) => [day, all.filter(({ tradedate }) => tradedate === day).map(({ close }) => close)]),
  )
}

/** Every file that the manifest names is there, and no other. */
async function checkFiles(dir: string): Promise<void> {
  const parts = Object.values((await readManifest(dir))?.manifest.datasets ?? {}).flatMap((set) => set.parts)
  for (const { file, bytes } of parts) expect(statSync(join(dir, file)).size).toBe(bytes)
}

interface Situation {
  /** Days of the writer that stands still, and of the other, which writes meanwhile. */
  readonly first: readonly string[]
  readonly other: readonly string[]
  readonly isNew?: boolean
  /** Steps from one to the next that is looked at; STRIDE=1 looks at each. */
  readonly stride: number
}

const situations: Record<string, Situation> = {
  'months of their own': { first: ['20260701', '20260803'], other: ['20260602'], stride: 6 },
  'the same month': { first: ['20260701'], other: ['20260702'], stride: 3 },
  'the same day': { first: ['20260701'], other: ['20260701'], stride: 6 },
  'a new archive': { first: ['20260701'], other: ['20260702'], isNew: true, stride: 5 },
}

/** What a writer has come to that stood still before a step while another wrote; undefined when it never came to it. */
async function stoppedAt(at: number, { first, other, isNew }: Situation): Promise<string | undefined> {
  const dir = join(tempDir(), 'archive')
  mkdirSync(dir)
  if (!isNew) await importFiles(dir, bond, [rows(['20260630', '20260730', '20260829'], 1)])
  const writer = new Writer(dir, rows(first, 2), at)
  if (!(await writer.still())) return undefined
  age(dir)
  const beforeOther = existsSync(join(dir, 'manifest.json')) ? await closes(dir) : undefined
  await importFiles(dir, bond, [rows(other, 3)])
  const between = await closes(dir)
  await writer.goOn()
  const after = await closes(dir)
  await checkFiles(dir)
  const step = writer.text.split('\n')[0] ?? ''
  const hadCommitted = beforeOther !== undefined && first.some((day) => beforeOther[day]?.[0] === 2)
  const isSame = first.every((day) => other.includes(day))
  if (!isNew) for (const day of ['20260630', '20260730', '20260829']) expect(after[day], step).toEqual([1, 1])
  if (writer.text.includes('failed')) {
    expect(writer.text, step).toMatch(/failed\|ARCHIVE_BUSY\|QuotebookError\|.*(another process took|being written)/)
    expect(after, step).toEqual(between)
    for (const day of other) expect(after[day], step).toEqual([3, 3])
  } else {
    expect(writer.text, step).toContain('committed')
    // Whoever of two came later over the same day has it: it took the lock when the other one had done, or had done before.
    const [mine, theirs] = isSame && hadCommitted ? [3, 3] : [2, isSame ? 2 : 3]
    for (const day of first) expect(after[day], step).toEqual([mine, mine])
    for (const day of other) expect(after[day], step).toEqual([theirs, theirs])
  }
  await importFiles(dir, bond, [rows(['20260603'], 4)])
  expect((await closes(dir))['20260603']).toEqual([4, 4])
  const named = Object.values((await readManifest(dir))?.manifest.datasets ?? {}).flatMap((set) => set.parts)
  expect(readdirSync(join(dir, 'convertible_daily')), step).toHaveLength(named.length)
  expect(readdirSync(dir).sort(), step).toEqual(['convertible_daily', 'manifest.json'])
  return writer.text.includes('failed') ? 'failed' : 'committed'
}

test.runIf(process.platform !== 'win32').each(Object.entries(situations))(
  'a writer that stands still before any of its steps, while another writes %s, takes nothing away from it',
  async (_, situation) => {
    const ends: string[] = []
    const stride = Number(process.env.STRIDE ?? situation.stride)
    for (let at = 1; ; at += stride) {
      const end = await stoppedAt(at, situation)
      if (end === undefined) break
      ends.push(end)
    }
    expect(ends.length * stride).toBeGreaterThan(25)
    expect(ends.filter((end) => end === 'failed').length * stride).toBeGreaterThan(8)
    // The first steps come before it has the lock, the last ones after it has committed.
    expect([ends[0], ends.at(-1)]).toEqual(['committed', 'committed'])
  },
)
