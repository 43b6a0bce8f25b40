// Deep: a paper account by the command through crashes, changes, revisions and missed evenings.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromCsv, numbers, strings } from 'quotebook'
import { describe, expect, test } from 'vitest'
import { quotebook, started } from '../../promise/helper/command.js'
import { removeFolders, sampleDir } from '../../promise/helper/files.js'
import { eveningOf, paperCash, paperDays, strategyFolder, strategyLines } from '../../promise/helper/paper.js'

removeFolders()

describe('a paper account', () => {
  const { dir, file } = strategyFolder()
  const evening = eveningOf(file)
  /** Without what tells when it was written. */
  const bare = (days: readonly object[]) => days.map((one) => ({ ...one, at: undefined, before: undefined }))

  test('ended at any write, or killed, it goes on from a whole state', async () => {
    const whole = join(dir, 'crash')
    evening(whole, '20260720')
    expect(evening(whole, '20260722').code).toBe(0)
    const names = readdirSync(join(whole, 'days')).sort()
    expect(names).toHaveLength(3)
    for (let written = 0; written <= names.length; written++) {
      const part = join(dir, `crash-${written}`)
      mkdirSync(join(part, 'days'), { recursive: true })
      cpSync(join(whole, 'account.json'), join(part, 'account.json'))
      for (const name of names.slice(0, written)) cpSync(join(whole, 'days', name), join(part, 'days', name))
      const next = names[written] ?? '20260723.json'
      writeFileSync(
        join(part, 'days', `${next}.0123456789ab.part`),
        readFileSync(join(whole, 'days', names[0] as string)).subarray(0, 300),
      )
      const ran = evening(part, '20260722')
      expect([ran.code, ran.err]).toEqual([0, expect.any(String)])
      rmSync(join(part, 'days', `${next}.0123456789ab.part`))
      expect(bare(paperDays(part))).toEqual(bare(paperDays(whole)))
    }
    for (const wait of [700, 1200]) {
      const killed = join(dir, `killed-${wait}`)
      const child = started(['plan', file, '--account', killed, '--day', '20260720', ...paperCash])
      const over = new Promise((resolve) => child.once('close', resolve))
      await new Promise((resolve) => setTimeout(resolve, wait))
      child.kill('SIGKILL')
      await over
      if (!existsSync(join(killed, 'account.json'))) evening(killed, '20260720')
      expect(evening(killed, '20260722').code).toBe(0)
      expect(bare(paperDays(killed))).toEqual(bare(paperDays(whole)))
    }
  })

  test('a day that was changed, another strategy, other params and other cash are refused, unless from today', () => {
    const account = join(dir, 'changed')
    evening(account, '20260720')
    evening(account, '20260721')
    const other = join(dir, 'other', 'low.mjs')
    mkdirSync(join(dir, 'other'))
    writeFileSync(other, strategyLines.join('\n').replace('n: 5', 'n: 4'))
    const asOther = (...words: string[]) =>
      quotebook(['plan', other, '--account', account, '--day', '20260722', ...words])
    expect(asOther()).toMatchObject({
      code: 2,
      err: expect.stringMatching(/was run with another sha256; --from-today/),
    })
    expect(evening(account, '20260722', '--fill', 'nextClose').err).toMatch(/another options/)
    expect(evening(account, '20260720').err).toMatch(/is at 20260721 already/)
    expect(quotebook(['plan', file, '--account', account, '--day', '20260722', '--cash', '5']).err).toMatch(
      /began with 300000/,
    )
    expect(paperDays(account)).toHaveLength(2)
    expect(asOther('--from-today').code).toBe(0)
    expect(paperDays(account).at(-1)).toMatchObject({
      day: '20260722',
      fromToday: { file: 'low.mjs', options: { cash: 300_000 } },
    })
    expect(evening(account, '20260723').err).toMatch(/another sha256/)
    expect(asOther().code).toBe(0)
    const path = join(account, 'days', '20260721.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"equity": ', '"equity": 1'))
    expect(asOther()).toMatchObject({ code: 1, err: expect.stringMatching(/20260722.json was changed/) })
  })

  test('a price that is revised rewrites nothing; the days that would be other are listed', () => {
    const archive = join(dir, 'archive')
    cpSync(sampleDir, archive, { recursive: true })
    const account = join(dir, 'revised')
    const own = (day: string, ...words: string[]) => evening(account, day, '--source', archive, ...words)
    own('20260720')
    expect(own('20260722').err).toMatch(/would be other now: 0/)
    const before = paperDays(account)
    const [first] = (before[1]?.fills ?? []) as { symbol: string; price: number }[]
    const { symbol = '', price = 0 } = first ?? {}
    const day = quotebook([
      'query',
      'convertible_daily',
      'tradedate=20260721',
      '--format',
      'csv',
      '--source',
      archive,
    ]).out
    const rows = fromCsv(day)
    const opens = strings(rows, 'code').map((code, row) => (code === symbol ? numbers(rows, 'open')[row] : undefined))
    const open = opens.find((one) => one !== undefined) as number
    const corrected = join(dir, 'corrected.csv')
    const heads = day.split('\n')[0]?.split(',') as string[]
    const edited = day.split('\n').map((line) => {
      const cells = line.split(',')
      if (line.includes(symbol))
        for (const name of ['open', 'low'])
          cells[heads.indexOf(name)] = String(Math.min(Number(cells[heads.indexOf(name)]), open - 1))
      return cells.join(',')
    })
    writeFileSync(corrected, edited.join('\n'))
    const imported = quotebook(['import', 'convertible_daily', corrected, '--archive', archive])
    expect([imported.code, imported.err]).toEqual([0, expect.any(String)])
    const ran = own('20260723', '--format', 'json')
    expect(ran.err).toMatch(/would be other now: 20260721/)
    const { account: told } = JSON.parse(ran.out) as {
      account: { changes: { day: string; what: string; symbol: string; was: string; now: string }[] }
    }
    const change = told.changes.find(({ what }) => what === 'fill')
    expect(change).toMatchObject({ day: '20260721', symbol, was: expect.stringContaining(`@ ${price}`) })
    expect(change?.now).toContain(`@ ${Math.round((price - 1) * 1000) / 1000}`)
    expect(told.changes.every((one) => one.day === '20260721')).toBe(true)
    expect(paperDays(account).slice(0, 3)).toEqual(before)
    expect(own('20260723', '--format', 'html').out).toContain(change?.was as string)
  })

  test('a missed evening is made up by what was known then; what came later is listed', () => {
    const archive = join(dir, 'asked')
    const bring = (day: string, asked: string) => {
      const rows = quotebook(['query', 'convertible_daily', `tradedate=${day}`, '--format', 'csv']).out
      const path = join(dir, `${day}.csv`)
      writeFileSync(path, rows)
      const words = ['--archive', archive, '--asked', asked, '--covers', `${day}..${day}`]
      expect(quotebook(['import', 'convertible_daily', path, ...words]).code).toBe(0)
    }
    for (const day of ['20260716', '20260720', '20260721', '20260722'])
      bring(day, `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T20:00`)
    bring('20260717', '2026-07-22T19:00')
    const lagged = join(dir, 'lagged.mjs')
    const score = "bond.close + (bond.lag('close', 2) > 0 ? 0 : bond.cb_over_rate)"
    writeFileSync(
      lagged,
      strategyLines.join('\n').replace('bond.close + bond.cb_over_rate', score).replace('every: 2', 'every: 1'),
    )
    const account = join(dir, 'then')
    const on = (day: string) =>
      quotebook(['plan', lagged, '--account', account, '--day', day, ...paperCash, '--source', archive])
    expect(on('20260720').code).toBe(0)
    const ran = on('20260722')
    expect(ran.err).toMatch(/would be other now: 20260721/)
    expect(paperDays(account).map((one) => one.asOf)).toEqual([null, '2026-07-21T23:59:59', null])
    expect(ran.out).toMatch(/^20260721 +decision/m)
  })
})
