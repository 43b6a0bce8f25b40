import type { Table } from 'apache-arrow'
import type { Language } from '../../../contract/language.js'
import type { Words } from '../../../contract/sentence.js'
import type { TradingRules } from '../../../contract/trading-rules.js'
import type { DeflatedSharpe } from '../../analysis/performance/deflated-sharpe.js'
import type { Performance } from '../../analysis/performance/performance-stats.js'
import type { Overfitting } from '../../analysis/performance/probability-of-overfitting.js'
import type { AccountCurve, DatedReturns } from '../../analysis/performance/return-series.js'
import type { Panel } from '../../backtest/panel.js'

/** The curve of an account and how it came about; the result of a backtest is one. Money is in yuan. */
export interface TearSheetRun extends AccountCurve {
  /** Cash at the start. */
  readonly start: number
  /** Round trips. */
  readonly trades?: readonly { readonly pnl?: number | null | undefined }[] | undefined
  /** Tables as a backtest gives them; what is missing is left out of the sheet. */
  readonly account?: Table
  readonly fills?: Table
  readonly rejected?: Table
  readonly positions?: Table
  readonly trips?: Table
  readonly events?: Table
  readonly lookahead?:
    | {
        readonly ok: boolean
        readonly cuts: number
        readonly why?: string
        readonly firstDifference?: {
          readonly time: string
          readonly symbol: string | undefined
          readonly cut: string
        }
      }
    | undefined
  readonly warnings?: readonly Words[]
  /** What the trading rules take for a broker's commission, if the options do not say it. */
  readonly commissions?: TradingRules['commission']
  /** How the account was run, as `BacktestOptions` has it. */
  readonly options?: RunOptions | undefined
  /** Of what was really done: the money that came and went, what is there at the end, and what was gained, in yuan. */
  readonly real?: { readonly paidIn: number; readonly takenOut: number; readonly worth: number; readonly gain: number }
  readonly hashes?: { readonly panel: string; readonly strategy: string; readonly run: string }
}

/** The part of the options of a backtest that a reader of its result must know. */
export interface RunOptions {
  readonly exec?: { readonly decide: string; readonly fill: string } | undefined
  readonly slippageTicks?: number | undefined
  readonly slippageBps?: number | undefined
  readonly maxVolumeShare?: number | null | undefined
  readonly commission?: object | undefined
  readonly trips?: 'flat' | 'fifo' | undefined
  readonly params?: Readonly<Record<string, string | number | boolean>> | undefined
}

type ParamTexts = Readonly<Record<string, string | number | boolean>>

/** Trials of a sweep, as `sweep` gives them. */
export interface SheetSweep {
  readonly trials: readonly { readonly params: ParamTexts; readonly performance: Performance }[]
  readonly best?: { readonly params: ParamTexts; readonly performance: Performance } | undefined
  readonly deflatedSharpe?: DeflatedSharpe | undefined
  readonly overfitting?: Overfitting | undefined
}

/** Folds and the account that their choices made, as `walkForward` gives them. */
export interface SheetWalk {
  readonly folds: readonly {
    readonly train: readonly [string, string]
    readonly test: readonly [string, string]
    readonly params: ParamTexts
    readonly inSample: number
    readonly outOfSample: number
  }[]
  readonly days: readonly string[]
  readonly start: number
  readonly equity: Float64Array
  readonly performance: Performance
  readonly inSample: number
  readonly degradation: number
  readonly trials: number
}

/** Options of `tearSheet`: what the page shows together with the run. */
export interface TearSheetOptions {
  readonly title?: string
  /** Language of the page (default: English). */
  readonly lang?: Language
  /** Makes charts interactive for mouse, finger and keys, by one inline script of about 600 kB (default: off). */
  readonly interactive?: boolean
  /** Returns or levels by day; every day of the run must be there. */
  readonly benchmark?: (DatedReturns | AccountCurve) & { readonly name?: string }
  /** Names of instruments by code. */
  readonly names?: Readonly<Record<string, string>>
  /** A year's risk-free return as a decimal. Default 0. */
  readonly riskFree?: number
  /** Periods of a year. Default 252. */
  readonly periodsPerYear?: number
  /** Days of the rolling figures. Unless given 126, 63 or 20, by the length of the run. */
  readonly window?: number
  /** The sweep that the strategy was chosen from. */
  readonly sweep?: SheetSweep
  readonly walkForward?: SheetWalk
  /** How many variants were looked at before this one, or their Sharpe ratios (default: those of `sweep`). */
  readonly trials?: number | readonly number[]
  /** Where the data came from, and what a reader must know of it. */
  readonly source?: { readonly name: string; readonly about?: string | undefined; readonly state?: string | undefined }
  /** The panel of the run, for K-lines of what moved the account most; of daily prices. */
  readonly prices?: Pick<Panel, 'days' | 'minutes' | 'symbols' | 'cols'>
  /** What `attribution` found, with the same benchmark. */
  readonly attribution?: Table
  /** Announcements that name a redemption of what was held. */
  readonly announcements?: readonly { readonly day: string; readonly symbol: string; readonly title: string }[]
  /** What `quotebook backtest` was asked, for the manifest of the page: with it `quotebook verify` makes the page again. */
  readonly command?: RunCommand
}

/** The strategy's module and the params that `quotebook backtest` was given. */
export interface RunCommand {
  /** Name of the module's file, without its folder. */
  readonly file: string
  readonly param?: Readonly<Record<string, string>> | undefined
  readonly sweep?: Readonly<Record<string, string>> | undefined
  readonly walkForward?: readonly [number, number] | undefined
  /** The days and the account, as they were typed. */
  readonly run?: RunWords | undefined
}

/** Options of a run by name, as they are typed: its days, cash, benchmark, and how orders are filled. */
export type RunWords = {
  readonly [W in
    | 'from'
    | 'to'
    | 'cash'
    | 'benchmark'
    | 'fill'
    | 'slippage'
    | 'commission'
    | 'sizeAt'
    | 'minTradeLots'
    | 'strict'
    | 'trips']?: string | undefined
}
