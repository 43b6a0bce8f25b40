import { type Language, type Translate, translatorOf } from '../../../contract/language.js'
import type { Words } from '../../../contract/sentence.js'
import { wholeNumber } from '../../../frame/verb/array-statistics.js'
import type { FactorStudy, SignalHorizon } from '../../analysis/performance/factor-study.js'
import { formatCount } from '../format-number.js'
import { factorWords } from './factor-words.js'

/** What the page of a factor shows beside the study. */
export interface FactorPageOptions {
  readonly title?: string
  /** Language of the page; English unless given. */
  readonly lang?: Language
  /** Its charts answer to mouse, finger and keys: one script of the page's own, some 600 kB. Off unless given. */
  readonly interactive?: boolean
  /** Horizons that are shown in full; all unless given. The decay has all. */
  readonly horizons?: readonly number[]
  /** How many factors and variants were tried, this one included. */
  readonly tried?: number
  /** What a reader must know of the data, as the notes of a panel. */
  readonly notes?: readonly Words[]
  /** When columns of the panel are known, by name, of those known at a clock time. */
  readonly known?: Readonly<Record<string, string>>
  readonly source?: { readonly name: string; readonly about?: string | undefined; readonly state?: string | undefined }
  /** What `quotebook factor` was asked, with which `quotebook verify` makes the page again, and the file that it read. */
  readonly command?: Readonly<Record<string, unknown>>
  readonly code?: { readonly name: string; readonly sha256: string }
}

/** All that the sections of the page are made from. */
export interface FactorSheet {
  readonly say: Translate<keyof typeof factorWords & string>
  readonly study: FactorStudy
  readonly options: FactorPageOptions
  /** Those that are shown in full, and their places among all. */
  readonly shown: readonly SignalHorizon[]
  readonly first: SignalHorizon
  /** A length of time in words. */
  readonly ahead: (horizon: number) => string
}

/** The dates behind the spread of a horizon, of all that have a coefficient. */
export function spreadDatesText({ say }: FactorSheet, { spreadDates, dates }: SignalHorizon): string {
  return say('of dates', { n: formatCount(spreadDates), all: formatCount(Math.max(dates, spreadDates)) })
}

export function factorSheetOf(study: FactorStudy, options: FactorPageOptions): FactorSheet {
  const say = translatorOf(factorWords, options.lang ?? 'en')
  if (options.tried !== undefined) wholeNumber(options.tried, 1, 'factorPage: tried')
  const asked = study.horizons.filter(({ horizon }) => options.horizons?.includes(horizon) ?? true)
  const shown = asked.length > 0 ? asked : study.horizons
  const unit = /^\d{8} /.test(study.signal.times[0] ?? '') ? 'bars' : 'days'
  const ahead = (horizon: number): string => say(`after ${unit}`, { n: horizon })
  return { say, study, options, shown, first: shown[0] as SignalHorizon, ahead }
}
