import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Market, toObjects, tradingDays } from 'quotebook'
import { afterAll, describe, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { datasetNames } from './helper/catalogue.js'
import { runCommand } from './helper/command.js'
import { bytesBelow, folder, removeFolders, sampleDir } from './helper/files.js'

removeFolders()
const market = await connect()
afterAll(async () => {
  await market.close()
})

async function make(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> {
  const dir = join(folder(), 'sample')
  const words = ['sample', '--archive', dir, ...args]
  const made = await (env ? runCommand(words, env) : here(...words))
  expect([made.code, made.out]).toEqual([0, ''])
  return dir
}

type Row = Readonly<Record<string, unknown>>
const rowsOf = (table: Parameters<typeof toObjects>[0]): Row[] => toObjects(table) as Row[]

function grouped(rows: readonly Row[], ...names: string[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = names.map((name) => row[name]).join(' ')
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return groups
}

/** A published decimal as a whole number of its smallest unit. */
const whole = (value: unknown, places: number): number => Math.round(Number(value) * 10 ** places)

/** What has texts: hostile ones change these, and the manifest that names them. */
const withTexts = ['finance_announcement', 'interactive_qa', 'manifest.json', 'news', 'theme_lib_detail_kp']
const size = ['--days', '2', '--symbols', '1']

describe('quotebook sample', () => {
  let made: Promise<string> | undefined
  const smallSample = (): Promise<string> => {
    made ??= make(size)
    return made
  }

  test('makes the sample that comes with the package, byte for byte', async () => {
    expect(bytesBelow(await make([]))).toEqual(bytesBelow(sampleDir))
  })

  test('makes the same bytes of the same options in any time zone, and others of another seed', async () => {
    const small = bytesBelow(await smallSample())
    expect(bytesBelow(await make(size, { TZ: 'Pacific/Kiritimati' }))).toEqual(small)
    const seeded = await make([...size, '--seed', '7'])
    expect(bytesBelow(seeded)).not.toEqual(small)
    expect(JSON.parse(readFileSync(join(seeded, 'manifest.json'), 'utf8')).about).toBe(
      'SYNTHETIC: made by quotebook sample (seed 7), 20260728 to 20260729. No row is real.',
    )
    const checked = await here('check', 'all', '--source', seeded, '--format', 'json')
    const states = JSON.parse(checked.out).filter(({ contradicted }: Row) => contradicted !== 0)
    // A channel that is counted twice, as published rows do.
    expect(states.map(({ dataset }: Row) => dataset)).toEqual(['southbound_top10'])
  })

  test('a larger sample holds the smaller one, row for row', async () => {
    const [of, more] = await Promise.all(
      [await smallSample(), await make(['--days', '4', '--symbols', '3'])].map((archive) => connect({ archive })),
    )
    const day = { tradedate: '20260729' }
    for (const load of [
      (market: Market) => market.table.etfMinute(day),
      (market: Market) => market.table.convertibleDaily(day),
      (market: Market) => market.table.themeDaily({ type: 'tj', ...day }),
    ]) {
      const [rows, all] = [rowsOf(await load(of as Market)), rowsOf(await load(more as Market))]
      const known = new Set(all.map((row) => JSON.stringify(row)))
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.filter((row) => !known.has(JSON.stringify(row)))).toEqual([])
    }
    await of?.close()
    await more?.close()
  })

  test('--hostile mixes markup, formulas and line ends into the texts, and changes no number', async () => {
    const [plain, hostile] = [await smallSample(), await make([...size, '--hostile'])]
    const before = new Set(Object.values(bytesBelow(plain)))
    const changed = Object.entries(bytesBelow(hostile)).filter(([, sum]) => !before.has(sum))
    const places = new Set(changed.map(([name]) => name.split('/')[0]))
    expect([...places].sort()).toEqual(withTexts)
    const odd = await connect({ archive: hostile })
    const span = { startdate: '20260101', enddate: '20260729', limit: 2000 }
    const found = [await odd.table.financeAnnouncement(span), await odd.table.interactiveQa(span)]
    await odd.close()
    for (const part of ['<', '=', '\\n']) expect(JSON.stringify(found.map(rowsOf))).toContain(part)
  })

  test.each<[readonly string[], number, RegExp]>([
    [['--symbols', '2001'], 2, /symbols must be a whole number from 1 to 2000, not 2001/],
    [['--days', '5000'], 2, /does not know 5000 days ending 20260729/],
    [['--sede', '7'], 2, /Did you mean --seed\?/],
  ])('%j is refused', async (args, code, message) => {
    const refused = await here('sample', '--archive', join(folder(), 'x'), ...args)
    expect([refused.code, refused.err]).toEqual([code, expect.stringMatching(message)])
  })

  test('what a directory holds already is not written over', async () => {
    const dir = folder()
    writeFileSync(join(dir, 'mine.txt'), 'mine')
    const refused = await here('sample', '--archive', dir)
    expect([refused.code, readdirSync(dir)]).toEqual([1, ['mine.txt']])
    const again = await here('sample', '--archive', sampleDir)
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('already holds an archive')])
  })
})

describe('the sample keeps the laws of what it stands for', () => {
  const days = tradingDays('20260506', '20260729')

  test('every dataset but the share of ticks has rows, each day of the calendar has ticks', () => {
    const manifest = JSON.parse(readFileSync(join(sampleDir, 'manifest.json'), 'utf8'))
    expect(Object.keys(manifest.datasets)).toEqual(datasetNames.filter((name) => name !== 'file_download').sort())
    expect(manifest.ticks.map(({ day }: { day: string }) => day)).toEqual(days)
  })

  test('questions have ids of 19 digits and revisions that count up; announcements are of three types', async () => {
    const span = { startdate: '20260101', enddate: '20260729', version: 'all' } as const
    const answers = rowsOf(await market.table.interactiveQa(span))
    expect(answers.every(({ qa_id }) => /^\d{19}$/.test(String(qa_id)))).toBe(true)
    expect(answers.every(({ event_date }) => String(event_date) >= '20260626')).toBe(true)
    const count = (rows: readonly Row[], id: string, no: string): void => {
      for (const versions of grouped(rows, id).values()) {
        const numbers = versions.map((row) => Number(row[no])).sort()
        expect(numbers).toEqual(numbers.map((_, at) => at + 1))
      }
    }
    count(answers, 'qa_id', 'revision_no')
    expect(answers.some(({ version_ambiguous }) => version_ambiguous === true)).toBe(true)
    const announced = rowsOf(await market.table.financeAnnouncement(span))
    const types = new Set(announced.map(({ announcement_type }) => announcement_type))
    expect(types).toEqual(new Set(['financial_report', 'other', 'unknown']))
  })

  test('the ticks of a code end with the match at 09:25:00, and turnover is price times lots', async () => {
    const rows = rowsOf(await market.ticks.read('20260729'))
    for (const snapshots of grouped(rows, 'symbol').values()) {
      const times = snapshots.map(({ time }) => String(time))
      expect(times).toEqual([...times].sort())
      expect(times.at(-1)).toBe('09:25:00')
    }
    for (const { m_price, auc_vol, auc_amt, um_vol, um_side } of rows) {
      expect(whole(auc_amt, 2)).toBe(Math.round(Number(m_price) * 100) * Number(auc_vol) * 100)
      expect(um_side === null).toBe(um_vol === 0)
    }
  })
})
