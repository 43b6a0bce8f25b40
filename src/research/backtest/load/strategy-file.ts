import type { DatasetName, ParamsFor } from '../../../contract/catalogue.js'
import { misuse } from '../../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import type { Data, NameOf, NameOfType, Numeric } from '../../../frame/data.js'
import { namedIn } from '../../../frame/table/shape.js'
import type { TableOf } from '../../../frame/table/typed-table.js'
import type { Market } from '../../../market.js'
import type { BacktestOptions } from '../backtest-options.js'
import type { TermsOf } from '../bond-terms.js'
import type { PanelJoin } from '../join-columns.js'
import { type PanelOptions, panelDataKinds } from '../make-panel.js'
import { checkForm, type OrderStrategy, type RankStrategy, type Strategy, type WeightStrategy } from '../strategy.js'
import type { TextName } from '../text-columns.js'

/** Columns of numbers of a dataset. */
export type NumberField<N extends DatasetName> = NameOfType<TableOf<N>, Numeric>

/** Columns of texts of a dataset. */
export type TextField<N extends DatasetName> = Exclude<NameOf<TableOf<N>>, NumberField<N>>

/** Params of a dataset but for its days, which are those of the run. */
type UndatedParams<N extends DatasetName> = Partial<Omit<ParamsFor<N>, 'tradedate' | 'startdate' | 'enddate'>>

/**
 * Makes a table of some days, both included, of the market of the run, with the params of the strategy that it reads; what is not given has a value of its
 * own: `async (market, { from, to }, { days = 20 }) => …`. In a sweep it is asked for each combination of those.
 */
export type TableMaker = (
  market: Market,
  days: { readonly from: string; readonly to: string },
  // biome-ignore lint/suspicious/noExplicitAny: a maker names its own params
  params: any,
) => Promise<Data>

/** Columns beside the prices: of another dataset, or of a table that a function makes of the market. `PanelJoin` has the rest. */
export type DataJoin<J extends string = string, X extends string = string> = Omit<PanelJoin<J, X>, 'data'> &
  (
    | { readonly dataset: DatasetName; readonly params?: Readonly<Record<string, unknown>> }
    | { readonly data: TableMaker }
  )

type OfPanel = Pick<
  PanelOptions<never, string>,
  'bars' | 'classes' | 'listed' | 'delistings' | 'cashflows' | 'withoutHistory' | 'rules' | 'ignore'
>

/** The prices that a strategy runs on; they are loaded for it. */
export interface StrategyData<
  N extends DatasetName = DatasetName,
  C extends string = string,
  J extends string = string,
  T extends Data = Data,
  S extends string = string,
  X extends string = string,
> extends OfPanel {
  /** A dataset of prices: `convertible_daily`, `etf_minute`, … */
  readonly dataset: N
  /** As `market.query` takes them, without days. All codes unless `symbols` names some. */
  readonly params?: UndatedParams<N>
  /** Columns of numbers (default: all of them). */
  readonly columns?: readonly C[]
  /** Columns of texts, such as ratings: a bar has them as they are, null if one is missing. */
  readonly texts?: readonly S[]
  /** Trading days before the first day of the account that `lag`, `mean` and `prepare` can look back to (default: 250, or 20 for bars that stay bars). */
  readonly history?: number
  readonly join?: readonly DataJoin<J, X>[]
  /** As `panel` takes it. */
  readonly terms?: T
  /** Whether the ST marks of the dataset `st` count for price limits. */
  readonly st?: boolean
}

export const dataKinds: OptionKinds<StrategyData> = {
  dataset: 'text',
  params: 'an object',
  columns: 'an array',
  history: 'any',
  st: 'true or false',
  ...panelDataKinds,
}

/** What a strategy's file may say beside its idea. */
interface FileParts<
  N extends DatasetName,
  C extends string,
  J extends string,
  T extends Data,
  S extends string,
  X extends string,
> {
  readonly data: StrategyData<N, C, J, T, S, X>
  /** Title of its pages. */
  readonly title?: string
  /** What it is compared with, see `loadBenchmark` (default: the vendor's index of the class of its instruments). */
  readonly benchmark?: string
  /** Options of the account; those of the command come first. */
  readonly options?: Partial<BacktestOptions>
}

type OneStrategy<C extends string> =
  | RankStrategy<C>
  | WeightStrategy<C>
  | OrderStrategy<C>
  | Extract<Strategy<C>, { readonly prepare: unknown }>

/** A strategy for params. */
interface MadeStrategy<C extends string, P> {
  /** Gives one of the forms of a strategy; what it reads and is not given has a value of its own. */
  readonly make: (params: P) => Strategy<C>
}

/**
 * The default export of a strategy file: its data, and one of the forms of a strategy, or `make`, which returns one for
 * parameters.
 */
export type StrategyFile<
  N extends DatasetName = DatasetName,
  C extends string = string,
  J extends string = string,
  P = Readonly<Record<string, string | number | boolean>>,
  T extends Data = Data,
  S extends string = never,
  X extends string = never,
> = FileParts<N, C, J, T, S, X> &
  (OneStrategy<C | J | TermsOf<T> | TextName<S | X>> | MadeStrategy<C | J | TermsOf<T> | TextName<S | X>, P>)

/**
 * Declares a strategy with its data, for `quotebook backtest`, `factor` and `plan`, and returns it unchanged, so that
 * an editor completes the names of its columns and rejects others.
 * @throws QuotebookError USAGE for an unknown member, with the nearest match
 * @example export default defineStrategy({ data: { dataset: 'convertible_daily' }, score: (bond) => bond.close + bond.cb_over_rate, … })
 */
export function defineStrategy<
  const N extends DatasetName,
  const C extends NumberField<N> = NumberField<N>,
  const J extends string = never,
  P = Readonly<Record<string, string | number | boolean>>,
  T extends Data = never,
  const S extends TextField<N> = never,
  const X extends string = never,
>(file: StrategyFile<N, C, J, P, T, S, X>): StrategyFile<N, C, J, P, T, S, X> {
  readStrategyFile(file as unknown as StrategyFile)
  return file
}

/** A strategy's file, taken apart. */
export interface ReadFile {
  readonly data: StrategyData
  readonly title?: string
  readonly benchmark?: string
  readonly options: Partial<BacktestOptions>
  readonly make?: (params: never) => Strategy
  readonly strategy?: Strategy
}

const fileKinds: OptionKinds<Record<string, unknown>> = {
  data: 'an object',
  title: 'text',
  benchmark: 'text',
  options: 'an object',
  make: 'a function',
  score: 'a function',
  universe: 'a function',
  pick: 'an object',
  weight: 'any',
  weights: 'a function',
  orders: 'a function',
  prepare: 'a function',
  when: 'an object',
  state: 'a function',
  update: 'a function',
  exit: 'a function',
}

/** Whether a default export declares its data. */
export function declaresData(given: unknown): given is StrategyFile {
  return typeof given === 'object' && given !== null && 'data' in given
}

/** @throws QuotebookError USAGE for members that there are not, data of another form, and for a file with both a strategy and make, or with neither */
export function readStrategyFile(file: StrategyFile): ReadFile {
  checkOptions<object>(file, fileKinds, sentence`a strategy's file`)
  const { data, title, benchmark, options = {}, ...rest } = file
  checkOptions<StrategyData>(data, dataKinds, sentence`data of a strategy`)
  namedIn(data, sentence`data of a strategy`, sentence`{ dataset: 'convertible_daily', … }`)
  const parts = { data, options, ...(title !== undefined && { title }), ...(benchmark !== undefined && { benchmark }) }
  if (!('make' in rest)) {
    if (!('prepare' in rest)) checkForm(rest)
    return { ...parts, strategy: rest as Strategy }
  }
  const { make, ...more } = rest
  const other = Object.keys(more)[0]
  if (other !== undefined)
    throw misuse(sentence`strategy: '${other}' stands beside make, which gives the whole strategy`)
  return { ...parts, make }
}
