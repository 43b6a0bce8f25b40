import type { Expected, expectedDays } from './days.js'
import { type CheckName, checks, type Finding, type Judged, type Mark } from './finding.js'
import type { Folder } from './folder.js'
import { judge, type Looked } from './judge.js'
import { judgeSchemas } from './schemas.js'

type Days = Awaited<ReturnType<typeof expectedDays>>

/** Days without a file, each told once, by all who know of it. */
function judgeDays({ expected, unmade }: Days, held: ReadonlySet<string>): Judged {
  const absent = new Map<string, Expected[]>()
  for (const one of expected)
    for (const day of one.days) if (!held.has(day)) absent.set(day, [...(absent.get(day) ?? []), one])
  const findings = [...absent].map(([day, known]): Finding => {
    const severity = known.some(({ isSure }) => isSure) ? 'fault' : 'note'
    const by = known.map(({ by }) => by).join(', ')
    return { day, file: null, check: 'missing', severity, what: `there is no file of this trading day (${by})` }
  })
  const known = new Set(expected.flatMap(({ days }) => days))
  const odd = known.size > 0 && unmade.length === 0 ? [...held].filter((day) => !known.has(day)) : []
  const extra = odd.map((day): Finding => {
    const by = expected.map(({ by }) => by).join(', ')
    return {
      day,
      file: null,
      check: 'missing',
      severity: 'note',
      what: `there is a file of a day that is no trading day (${by})`,
    }
  })
  const marks: Mark[] = known.size > 0 ? [{ check: 'missing', unmade: undefined }] : []
  return {
    findings: [...findings, ...extra],
    marks: [...marks, ...unmade.map((why) => ({ check: 'missing' as const, unmade: why }))],
  }
}

function judgeNames({ undated, unlisted, leftovers, isArchive }: Folder): Judged {
  const findings: Finding[] = []
  const of = (check: CheckName, severity: Finding['severity'], what: string) => (file: string) =>
    findings.push({ day: null, file, check, severity, what })
  undated.forEach(of('name', 'fault', 'the day in its name is none'))
  unlisted.forEach(
    of('unlisted', 'note', isArchive ? 'the manifest does not name it; nobody reads it' : 'it is no tick file'),
  )
  leftovers.forEach(of('leftover', 'note', 'a download has left it behind, or is under way'))
  const marks = (['name', 'unlisted', 'leftover'] as const).map((check): Mark => ({ check, unmade: undefined }))
  return { findings, marks }
}

const rank = new Map(Object.keys(checks).map((check, at) => [check, at]))

/** What is of a day first, ascending; of one file the checks in their order. */
function byPlace(a: Finding, b: Finding): number {
  const places = [a, b].map(({ day, file, check }) => [
    day ?? '~',
    file ?? '~',
    String(rank.get(check)).padStart(2, '0'),
  ])
  const [one = '', other = ''] = places.map((place) => place.join(' '))
  return one < other ? -1 : one > other ? 1 : 0
}

/** All that is wrong in a folder, in an order that depends on nothing but what is wrong. */
export function judgeFolder(folder: Folder, looked: readonly Looked[], days: Days): Judged {
  const held = new Set(looked.map(({ day }) => day))
  const parts = [...looked.map(judge), judgeSchemas(looked), judgeDays(days, held), judgeNames(folder)]
  return {
    findings: parts.flatMap(({ findings }) => findings).sort(byPlace),
    marks: parts.flatMap(({ marks }) => marks),
  }
}
