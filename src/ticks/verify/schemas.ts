import type { FooterColumn } from '../../table/parquet-file/footer.js'
import type { CheckMark, CheckResults, TickFinding } from './finding.js'
import type { InspectedFile } from './judge.js'

type Schema = readonly FooterColumn[]

function list(columns: Schema): string {
  return columns.map(({ name, type }) => `${name} (${type})`).join(', ')
}

/** What came, went, changed its type or its place. */
function changes(before: Schema, after: Schema): { readonly faults: string[]; readonly notes: string[] } {
  const [old, fresh] = [before, after].map((schema) => new Map(schema.map(({ name, type }) => [name, type]))) as [
    Map<string, string>,
    Map<string, string>,
  ]
  const notes: string[] = []
  const came = after.filter(({ name }) => !old.has(name))
  const went = before.filter(({ name }) => !fresh.has(name))
  if (came.length > 0) notes.push(`there is, and was not: ${list(came)}`)
  if (went.length > 0) notes.push(`there was, and is not: ${list(went)}`)
  const common = (schema: Schema): string[] =>
    schema.map(({ name }) => name).filter((name) => old.has(name) && fresh.has(name))
  if (common(before).join() !== common(after).join()) notes.push('the columns stand in another order')
  const turned = after.filter(({ name, type }) => old.has(name) && old.get(name) !== type)
  const faults = turned.map(({ name, type }) => `${name} was ${old.get(name)} and is ${type}`)
  return { faults, notes }
}

/** Compares the columns of each file with those of the file before, by day. */
export function checkSchemas(looked: readonly InspectedFile[]): CheckResults {
  const findings: TickFinding[] = []
  const marks: CheckMark[] = []
  let before: { readonly day: string; readonly schema: Schema } | undefined
  for (const { day, file, facts } of looked) {
    const { schema } = facts
    marks.push({ check: 'schema', notMade: schema ? undefined : 'its footer can not be read' })
    if (!schema) continue
    const twice = schema.find(({ name }, at) => schema.findIndex((other) => other.name === name) !== at)
    if (twice) {
      findings.push({ day, file, check: 'schema', severity: 'fault', what: `there are two columns ${twice.name}` })
      continue
    }
    const { faults, notes } = before ? changes(before.schema, schema) : { faults: [], notes: [] }
    const since = `against ${before?.day}: `
    for (const what of faults) findings.push({ day, file, check: 'schema', severity: 'fault', what: since + what })
    for (const what of notes) findings.push({ day, file, check: 'schema', severity: 'note', what: since + what })
    before = { day, schema }
  }
  return { findings, marks }
}
