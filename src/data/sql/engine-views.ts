import { datasetOf } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { textCells } from '../../frame/table/values.js'
import type { Manifest } from '../archive/manifest-entries.js'
import { currentParts } from '../archive/part-file.js'
import type { ScanEngine } from '../archive/store/archive-store.js'
import { quotedName, textLiteral } from '../clickhouse/clickhouse-client.js'
import { clickHouseType } from '../clickhouse/column-types.js'
import { tickSchemas } from '../clickhouse/tick-rows.js'
import { partKey, tickClusterOf } from '../clickhouse/tick-tables.js'
import { ticksName } from './archive-views.js'
import { mixedColumn } from './run-query.js'

/** Rows of one table: which parts, and how many rows each must have. */
interface Held {
  readonly table: string
  readonly parts: ReadonlyMap<string, number>
}

/** What a name stands for: a select over tables of the engine. */
export interface EngineView {
  readonly name: string
  readonly select: string
  readonly held: readonly Held[]
}

function partsIn(parts: ReadonlyMap<string, number>): string {
  return `${partKey} in (${[...parts.keys()].map(textLiteral).join(', ')})`
}

function lacking(file: string): QuotebookError {
  return new QuotebookError(
    'ARCHIVE',
    sentence`the rows of ${file} are not where SQL could reach them; put the file again`,
  )
}

/** Undefined where some of its parts are held as files: their rows have to be handed over. */
function datasetView(engine: ScanEngine, manifest: Manifest, name: string): EngineView | undefined {
  const dataset = datasetOf(name)
  const declared = { ...dataset.columns, ...dataset.stored }
  const database = quotedName(engine.client.database)
  const parts = currentParts(engine.client.name, dataset, manifest.datasets[name]?.parts ?? [])
  const tables = new Map<string, Map<string, number>>()
  for (const { file, rows } of parts) {
    const place = engine.place(file)
    if (!place?.table.startsWith('rows_')) return undefined
    tables.set(place.table, (tables.get(place.table) ?? new Map<string, number>()).set(place.partition, rows))
  }
  const held = [...tables].map(([table, of]) => ({ table, parts: of }))
  // What an aggregate finds in no rows, or a join, is missing, and no 0 or empty text.
  const columns = Object.entries(declared).map(([column, about]) => {
    const cell = quotedName(column)
    return about.nullable || clickHouseType(about).startsWith('Array') ? cell : `toNullable(${cell}) as ${cell}`
  })
  const selects = held.map(
    ({ table, parts: of }) => `select ${columns.join(', ')} from ${database}.${quotedName(table)} where ${partsIn(of)}`,
  )
  if (selects.length > 0) return { name, select: selects.join(' union all '), held }
  const empty = Object.entries(declared).map(([column, about]) => {
    const type = clickHouseType({ ...about, nullable: true })
    return `cast(${type.startsWith('Array') ? '[]' : 'null'} as ${type}) as ${quotedName(column)}`
  })
  return { name, select: `select ${empty.join(', ')} from system.one where 0`, held: [] }
}

async function ticksView(engine: ScanEngine, { ticks }: Manifest): Promise<EngineView> {
  const { client } = engine
  if (ticks.length === 0) throw new QuotebookError('FILE', sentence`${client.name} has no auction ticks`)
  const parts = new Map(ticks.map(({ file, rows }) => [engine.place(file)?.partition ?? file, { file, rows }]))
  const schemas = await tickSchemas(client, [...parts.keys()])
  const types = new Map<string, string>()
  const tables = new Map<string, { names: Set<string>; parts: Map<string, number> }>()
  for (const [part, { file, rows }] of parts) {
    const schema = schemas.get(part)
    if (!schema) throw lacking(file)
    const held = tables.get(schema.table) ?? { names: new Set<string>(), parts: new Map<string, number>() }
    tables.set(schema.table, held)
    held.parts.set(part, rows)
    for (const [name, , type] of schema.columns) {
      const [plain, known] = [type, types.get(name) ?? type].map((one) => one.replace(/^Nullable\((.*)\)$/, '$1'))
      const isMixed = (plain === 'String') !== (known === 'String')
      if (isMixed) throw mixedColumn(name)
      held.names.add(name)
      types.set(name, known === plain || known === 'Float64' ? (types.get(name) ?? type) : type)
    }
  }
  const selects = [...tables].map(([table, { names, parts: of }]) => {
    const cells = [...types].map(([name, type]) => {
      if (tables.size === 1) return quotedName(name)
      const wide = type.startsWith('Nullable') || type.startsWith('Array') ? type : `Nullable(${type})`
      return `cast(${names.has(name) ? quotedName(name) : 'null'} as ${wide}) as ${quotedName(name)}`
    })
    return `select ${cells.join(', ')} from ${quotedName(client.database)}.${quotedName(table)} where ${partsIn(of)}`
  })
  const held = [...tables].map(([table, { parts: of }]) => ({ table, parts: of }))
  return { name: ticksName, select: selects.join(' union all '), held }
}

/** What a name of an archive stands for in its engine; undefined where the rows have to be handed over. */
export async function engineView(
  engine: ScanEngine,
  manifest: Manifest,
  name: string,
): Promise<EngineView | undefined> {
  return name === ticksName ? ticksView(engine, manifest) : datasetView(engine, manifest, name)
}

/** Parts whose rows were counted, by the engine: they do not change. What one replica has says nothing of another one. */
const counted = new WeakMap<ScanEngine, Set<string>>()

/** @throws QuotebookError ARCHIVE where parts have other rows than the manifest counts: which, and on which node */
export async function checkCounts(engine: ScanEngine, { name, held }: EngineView, signal?: AbortSignal): Promise<void> {
  const isReplicated = name === ticksName && (await tickClusterOf(engine.client))?.replicated
  const seen = (!isReplicated && counted.get(engine)) || new Set<string>()
  if (!isReplicated) counted.set(engine, seen)
  for (const { table, parts } of held) {
    const asked = new Map([...parts].filter(([part]) => !seen.has(part)))
    if (asked.size === 0) continue
    const sql = `select ${partKey} as part, toString(count()) as n from ${quotedName(table)} where ${partsIn(asked)} group by part`
    const found = await engine.client.columns(sql, { signal })
    const [names, counts] = found ? [textCells(found, 'part'), textCells(found, 'n')] : [[], []]
    const rows = new Map(names.map((part, at) => [part, Number(counts[at])]))
    for (const [part, wanted] of asked) {
      const is = rows.get(part) ?? 0
      const [file] = part.split(' ')
      if (is !== wanted) {
        throw new QuotebookError(
          'ARCHIVE',
          sentence`${file}: ${engine.client.node} has ${is} rows; the manifest counts ${wanted}`,
        )
      }
    }
    for (const part of asked.keys()) seen.add(part)
  }
}
