import type { Cell, Column, StoredColumn } from './column.js'
import type { ChineseLabels, Subject } from './labels.js'
import type { Param, ParamsOf } from './param.js'

/** When a row can first be known, Beijing time. `or` names the column that serves where a row lacks the first one. */
export type KnownAt =
  /** At a fixed clock time of the row's day. */
  | { readonly day: string; readonly at: string; readonly or?: string; readonly note: string }
  /** At the minute in another column of the row's day. */
  | { readonly day: string; readonly minute: string; readonly note: string }
  /** At the moment that the row itself carries. */
  | { readonly moment: string; readonly or?: string; readonly delayMinutes?: number; readonly note: string }
  /** Only when it was fetched: the service keeps no history of it. */
  | { readonly fetched: true; readonly note: string }

/** When the service has new rows, Beijing time. `sync --follow` asks then, and no day is due before. */
export type RenewalRule =
  /** Clock times `HH:MM`, ascending: of trading days, unless it is every day. */
  | { readonly at: readonly string[]; readonly everyDay?: true }
  /** Minutes of every hour of every day. */
  | { readonly minutes: readonly number[] }

/** How much of an answer comes back, and what the caller can do about it. */
export type Limit =
  | { readonly kind: 'none' }
  /** The first `rows` rows are kept, without a word. `daily`: rows of a day of the whole market, rather too many. */
  | { readonly kind: 'cap'; readonly rows: number; readonly daily?: number }
  /** `limit`, `offset` and a `total` that proves completeness. */
  | { readonly kind: 'page'; readonly default: number; readonly max: number }
  /** `limit` alone: the newest rows, no way to the rest. */
  | { readonly kind: 'newest'; readonly default: number; readonly max: number }

/** What of a dataset may be kept of the service: days before the latest one, which can no longer change. */
export interface CacheRule {
  /** The param that tells apart what is stored under the dataset. */
  readonly scope?: string
  /** Without codes a query gives one bucket of all: whole days only where it is run over days. */
  readonly buckets?: true
  /** Values without which nothing is kept. */
  readonly only?: Readonly<Record<string, string>>
  /** The params of a first and a last day, where no role tells them. */
  readonly range?: readonly [from: string, to: string]
  /** The column of an answer that tells its days, where no param speaks of them. */
  readonly shown?: string
  /** Calendar days before the latest one that may still change. */
  readonly lag?: number
  /** Answers of the service rest on what no reply tells: `sync` keeps it, and a cache asks every time. */
  readonly syncOnly?: true
  /** Params that choose some of the rows of a day. */
  readonly filters?: readonly string[]
  /** With these params nothing is kept. */
  readonly never?: readonly string[]
  /** First day that may be kept. */
  readonly since?: string
  /** Spellings of codes that whole days answer for: that of the rows, and those that the contract names. */
  readonly spellings: readonly ('bare' | 'full')[]
  /**
   * What shows the latest day. `latest`: the answer to a question without a date. `completed`: the same, which may bring the
   * day after it along. `next`: the answer for the next trading day, where the latest one does not say of which day it is.
   */
  readonly latest: 'latest' | 'completed' | 'next'
}

/** How an archive finds the rows of an answer (`src/data/archive/answer/answer-rules.ts`); `dated` serves whatever has a day. */
export type ArchiveRule =
  | 'dated'
  | 'bars'
  | 'hot-list'
  | 'candidates'
  | 'news'
  | 'announcements'
  | 'theme'
  | 'sectors'
  | 'tick-share'

/** What codes are of, by what tells their names apart: a name may be of a share and, longer, of its bond. */
export type CodeKind = 'stock' | 'bond' | 'fund' | 'index' | 'hk'

/** How all of a dataset is loaded for the last days of a source: for the report, and for the checks of everything. */
export type LoadRule = (
  | { /** One query over the days. */ readonly kind: 'range'; readonly params?: Readonly<Record<string, string>> }
  | { /** One query without days. */ readonly kind: 'once'; readonly params?: Readonly<Record<string, string>> }
  | {
      /** A query for each value of a param. */ readonly kind: 'each'
      readonly param: string
      /** Asked for each of so many of the last days; absent, without a day. */ readonly lastDays?: number
    }
  | {
      /** Every bar of every day; the first period leads. */ readonly kind: 'bars'
      readonly periods: readonly ('15m' | '30m')[]
    }
  | { readonly kind: 'candidates' | 'tick-share' }
) & {
  /** Its answer without a date tells the latest day of a source. */
  readonly showsLatestDay?: true
}

/** A dataset of your own: the declaration in `datasets/NAME.json`, `.mjs` or `.ts`, in the words of the catalogue. */
export interface OwnDataset {
  /** Lowercase words with `_`; none of the vendor's. */
  readonly name: string
  readonly title: string
  readonly about?: string
  readonly columns: Readonly<Record<string, Column>>
  /** Columns that tell a row from every other; in their order answers are sorted. */
  readonly key: readonly string[]
  /** The column whose days `tradedate`, `startdate` and `enddate` speak of; absent for a list without days. */
  readonly day?: string
  /** When a backtest may use a row. */
  readonly knownAt: KnownAt
  /**
   * What each row must keep: `low <= high`, `factor > 0`, `total = buy + sell`, `amount / vol between low and high`; a row that lacks one of
   * the cells breaks none.
   */
  readonly laws?: readonly string[]
  /** A day of trading without rows is a gap. */
  readonly everyTradingDay?: true
  /** What its codes are of. */
  readonly instruments?: CodeKind
  /** How an archive cuts it into files: by month if it has days. */
  readonly partition?: 'day' | 'month' | 'whole'
  /** The same in Chinese, as far as it is given. */
  readonly chinese?: OwnChinese
}

interface OwnChinese {
  readonly title?: string
  readonly about?: string
  readonly columns?: Readonly<Record<string, string>>
  /** The note of `knownAt`. */
  readonly known?: string
}

/** A law of each row, which checks look at: an answer that breaks it is neither refused nor suspect. A row that lacks one of its numbers breaks none. */
export interface CheckLaw {
  /**
   * `low <= high`, `factor > 0`, `total = buy + sell`; of several columns `vol, amount >= 0`; or what a column holds, `url is an address or
   * null` (`law-forms.ts`, or a word that is meant).
   */
  readonly law: string
  /** A stable name; the laws of a dataset of one's own have none. */
  readonly code?: string
  /** The word under which a check counts it (default: the law itself). */
  readonly rule?: string
  /** The verdict of a row that breaks it (default: `mismatch`). */
  readonly verdict?: 'warn' | 'unverifiable'
}

/** A law of a row: the average price lies in the range of the prices. */
export interface AverageLaw {
  readonly text: string
  /** Columns. */
  readonly amount: string
  readonly vol: string
  readonly low: string
  readonly high: string
  /** Yuan in one of the amount. */
  readonly money: number
  /** Shares, bonds or fund units in one of the volume. */
  readonly unit: number
}

/** A dataset: the parameters of its query, its columns and its rules. */
export interface Dataset {
  readonly name: string
  readonly title: string
  readonly about: string
  /** `rows`: fields and items. `object`: one record, shown as a table of one row. */
  readonly shape: 'rows' | 'object'
  readonly columns: Readonly<Record<string, Column>>
  /** Columns that the archive keeps beside those of the wire. */
  readonly stored?: Readonly<Record<string, StoredColumn>>
  /** What `data.meta` of a reply tells beside its rows. */
  readonly meta?: Readonly<Record<string, Column>>
  /** Unique in an answer and in the archive (where stored columns may belong to it). */
  readonly key: readonly string[]
  /** Unique in an answer of the newest versions alone (`version` latest). */
  readonly latestKey?: readonly string[]
  /** Order of an answer; a leading `-` means descending. */
  readonly order: readonly string[]
  /** The columns that a narrow screen shows, the most wanted first; the others come if there is room for them. */
  readonly first?: readonly string[]
  readonly params: Readonly<Record<string, Param>>
  /** Params that may not stand together: each of the left with any of the right. */
  readonly exclusive?: readonly (readonly [readonly string[], readonly string[]])[]
  /** Pairs of dates whose first may not be later than the second. */
  readonly ranges?: readonly (readonly [string, string])[]
  /** The request must carry `params`. */
  readonly needsParams?: true
  /** The operation takes no `fields`. */
  readonly noFields?: true
  readonly limit: Limit
  readonly knownAt: KnownAt
  /** Absent: half an hour after the close (`afterCloseBatch`). */
  readonly renewed?: RenewalRule
  /** Seconds in which the rows of the running day are new again while the session runs; absent if they do not go with it. */
  readonly live?: number
  /** First day of its history, if the vendor says it. */
  readonly since?: string
  /** The column whose days the date params speak of. */
  readonly day?: string
  /** What its codes are of; absent if they have no names. */
  readonly instruments?: CodeKind
  /** Its columns of codes and of their names; `inTitle`: a name stands before the colon of a title. */
  readonly names?: { readonly code: string; readonly name: string; readonly inTitle?: true }
  /** A range may be open at either end, and no date means every day. */
  readonly openRange?: true
  /** A reply is the whole list of these: in an archive it takes the place of the list before, matched by `match`. */
  readonly list?: {
    readonly of: readonly string[]
    readonly match: readonly string[]
    /** The column that counts the rows of a list from 1; an import fills it in if a file lacks it. */
    readonly place?: string
  }
  /** Columns of a record and of its version: unless all versions are asked for, the newest of each is the only one. */
  readonly versions?: readonly [record: string, version: string]
  /** The column that tells how old a row is: an archive keeps the newest, whatever is imported last. */
  readonly age?: string
  /** Every trading day has rows; elsewhere a day may have none. */
  readonly everyTradingDay?: true
  /** The column whose days the archive goes by, if it is not `day`. */
  readonly archiveDay?: string
  /** How the archive cuts it into files. */
  readonly partition: 'day' | 'month' | 'whole'
  readonly archiveRule: ArchiveRule
  /** Absent if nobody can ask for all of it. */
  readonly load?: LoadRule
  /** What a cache, and `sync`, may keep of it; absent: every query is asked of the service. */
  readonly cache?: CacheRule
  /** It has no past: `sync` asks for it once a day and keeps what it was, for each value of a param if there are some. */
  readonly snapshot?: { readonly each?: string }
  /** Node order of section 4.0: intraday nodes, or the production line with its public backup. */
  readonly nodes: 'intraday' | 'production'
  /** Rules in words, for the page of the dataset. */
  readonly rules: readonly string[]
  /** The subject under which the test page offers it. */
  readonly subject: Subject
  /** What allowed values of its params mean, in English; absent for values that explain themselves. */
  readonly valueTitles?: Readonly<Record<string, string>>
  /** Of a dataset of somebody's own: the Chinese of the others stands in `locale/zh.json`. */
  readonly chinese?: ChineseLabels
  readonly example: Readonly<Record<string, unknown>>
  /** What rows keep beyond the laws that follow from their columns (`row-laws.ts`). */
  readonly laws?: readonly CheckLaw[]
  /** The law of its average price, if it declares one. */
  readonly average?: AverageLaw
  /** The declaration that it was made of, if it is none of the vendor's. */
  readonly own?: OwnDataset
}

type Modal<D extends Dataset> = {
  [K in keyof D['columns']]: D['columns'][K] extends { readonly mode: string } ? K : never
}[keyof D['columns']]

/** Over the columns themselves, so that editors show of a cell what its column says. */
type Cells<C extends Dataset['columns']> = { -readonly [K in keyof C]: Cell<C[K]> }

/** A row as an object. Columns of one mode only (`hotstock`) are optional. */
export type Row<D extends Dataset> = Cells<Pick<D['columns'], Exclude<keyof D['columns'], Modal<D>>>> &
  Partial<Cells<Pick<D['columns'], Modal<D>>>>

type Absent<K> = { readonly [N in K & string]?: null | undefined }

/** Of each pair, one side is absent. */
type Apart<Pairs> = Pairs extends readonly [readonly [infer A, infer B], ...infer Rest]
  ? (Absent<A[keyof A & number]> | Absent<B[keyof B & number]>) & Apart<Rest>
  : unknown

/** The parameters of a query; combinations that the contract forbids do not compile. */
export type Params<D extends Dataset> = ParamsOf<D['params']> & Apart<D['exclusive']>

/** `etf_minute` → `etfMinute`. */
export type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S

/** `etf_minute` → `etfMinute`. */
export function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
