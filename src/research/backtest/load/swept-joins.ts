import type { Data } from '../../../frame/data.js'
import { addJoined, type PanelJoin } from '../join-columns.js'
import type { Panel, PanelVariant } from '../panel.js'
import { ParamWatch } from '../param-watch.js'
import { combinations, type Grid, type TrialParams } from '../sweep-grid.js'

/** A join whose table was made with params that are swept: the table of each combination. */
export interface SweptJoin {
  readonly join: PanelJoin
  readonly tables: readonly { readonly params: TrialParams; readonly data: Data }[]
}

/** Params with those of a trial over them; each tells its own readers. */
function layered(params: TrialParams, trial: TrialParams): TrialParams {
  const layerOf = (name: string | symbol): object => (name in trial ? trial : params)
  return new Proxy(
    {},
    {
      get: (_, name) => Reflect.get(layerOf(name), name) as unknown,
      has: (_, name) => name in trial || name in params,
      ownKeys: () => [...new Set([...Reflect.ownKeys(params), ...Reflect.ownKeys(trial)])],
      getOwnPropertyDescriptor: (_, name) => {
        const own = Reflect.getOwnPropertyDescriptor(layerOf(name), name)
        return own && { ...own, configurable: true }
      },
    },
  )
}

/** Makes the table of a join for the first combination of a sweep, and for each other one of what it reads. */
export async function sweptTables(
  make: (params: TrialParams) => Promise<Data>,
  params: TrialParams,
  sweep: Grid,
): Promise<SweptJoin['tables']> {
  const watch = new ParamWatch()
  const [first = {}] = combinations(sweep)
  const data = await make(layered(params, watch.over(first)))
  const read = Object.entries(sweep).filter(([name]) => watch.read.has(name))
  const tables = []
  for (const trial of combinations(Object.fromEntries(read)))
    tables.push({ params: trial, data: tables.length === 0 ? data : await make(layered(params, trial)) })
  return tables
}

/** The columns of all combinations of params that joins read. */
export function variantsOf(panel: Panel, joins: readonly SweptJoin[], allowed: readonly string[]): PanelVariant[] {
  const read = joins.flatMap(({ tables }) => tables.flatMap(({ params }) => Object.entries(params)))
  const names = [...new Set(read.map(([name]) => name))]
  const valuesOf = (name: string) => [...new Set(read.flatMap(([one, value]) => (one === name ? [value] : [])))]
  const bare = { ...panel, cols: {}, known: new Map(), notes: [], texts: undefined }
  const made = joins.map(({ join, tables }) =>
    tables.map(({ params, data }) => {
      const { cols, texts } = addJoined(bare, [{ ...join, data }], allowed)
      return { params, cols, texts }
    }),
  )
  return combinations(Object.fromEntries(names.map((name) => [name, valuesOf(name)]))).map((params) => {
    const isOf = (one: PanelVariant): boolean =>
      Object.entries(one.params).every(([name, value]) => params[name] === value)
    const own = made.map((tables) => tables.find(isOf))
    const texts = new Map([...(panel.texts ?? []), ...own.flatMap((one) => [...(one?.texts ?? [])])])
    return {
      params,
      cols: Object.assign({}, ...own.map((one) => one?.cols)) as PanelVariant['cols'],
      ...(texts.size && { texts }),
    }
  })
}
