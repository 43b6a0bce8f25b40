import type { ExpectedDays, expectedDays } from './days.js'
import { type CheckMark, type CheckResults, type TickCheckName, type TickFinding, tickChecks } from './finding.js'
import type { TickFolder } from './folder.js'
import { checkFile, type InspectedFile } from './judge.js'
import { checkSchemas } from './schemas.js'

type Days = Awaited<ReturnType<typeof expectedDays>>

/** Days without a file, each told once, by all who know of it. */
function judgeDays({ expected, notMade }: Days, held: ReadonlySet<string>): CheckResults {
  const absent = new Map<string, ExpectedDays[]>()
  for (const one of expected)
    for (const day of one.days) if (!held.has(day)) absent.set(day, [...(absent.get(day) ?? []), one])
  const findings = [...absent].map(([day, known]): TickFinding => {
    const severity = known.some(({ isSure }) => isSure) ? 'fault' : 'note'
    const by = known.map(({ by }) => by).join(', ')
    return { day, file: null, check: 'missing', severity, what: `there is no file of this trading day (${by})` }
  })
  const known = new Set(expected.flatMap(({ days }) => days))
  const odd = known.size > 0 && notMade.length === 0 ? [...held].filter((day) => !known.has(day)) : []
  const extra = odd.map((day): TickFinding => {
    const by = expected.map(({ by }) => by).join(', ')
    return {
      day,
      file: null,
      check: 'missing',
      severity: 'note',
      what: `there is a file of a day that is no trading day (${by})`,
    }
  })
  const marks: CheckMark[] = known.size > 0 ? [{ check: 'missing', notMade: undefined }] : []
  return {
    findings: [...findings, ...extra],
    marks: [...marks, ...notMade.map((why) => ({ check: 'missing' as const, notMade: why }))],
  }
}

function judgeNames({ undated, unlisted, leftovers, isArchive }: TickFolder): CheckResults {
  const findings: TickFinding[] = []
  const of = (check: TickCheckName, severity: TickFinding['severity'], what: string) => (file: string) =>
    findings.push({ day: null, file, check, severity, what })
  undated.forEach(of('name', 'fault', 'the day in its name is none'))
  unlisted.forEach(
    of('unlisted', 'note', isArchive ? 'the manifest does not name it; nobody reads it' : 'it is no tick file'),
  )
  leftovers.forEach(of('leftover', 'note', 'a download has left it behind, or is under way'))
  const marks = (['name', 'unlisted', 'leftover'] as const).map((check): CheckMark => ({ check, notMade: undefined }))
  return { findings, marks }
}

const rank = new Map(Object.keys(tickChecks).map((check, at) => [check, at]))

/** What is of a day first, ascending; of one file the checks in their order. */
function byPlace(a: TickFinding, b: TickFinding): number {
  const places = [a, b].map(({ day, file, check }) => [
    day ?? '~',
    file ?? '~',
    String(rank.get(check)).padStart(2, '0'),
  ])
  const [one = '', other = ''] = places.map((place) => place.join(' '))
  return one < other ? -1 : one > other ? 1 : 0
}

/** All that is wrong in a folder, in an order that depends on nothing but what is wrong. */
export function checkFolder(folder: TickFolder, looked: readonly InspectedFile[], days: Days): CheckResults {
  const held = new Set(looked.map(({ day }) => day))
  const parts = [...looked.map(checkFile), checkSchemas(looked), judgeDays(days, held), judgeNames(folder)]
  return {
    findings: parts.flatMap(({ findings }) => findings).sort(byPlace),
    marks: parts.flatMap(({ marks }) => marks),
  }
}
