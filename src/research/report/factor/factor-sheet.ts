import type { Language } from '../../../contract/language.js'
import type { Say } from '../../../contract/say.js'
import { sayIn } from '../../../contract/say.js'
import { fact, type Words } from '../../../contract/sentence.js'
import { wholeNumber } from '../../../frame/verb/array-statistics.js'
import type { FactorStudy, SignalHorizon } from '../../analysis/performance/factor-study.js'
import { formatCount } from '../format-number.js'
import type { PageSource } from '../page-header.js'

/** What the page of a factor shows beside the study. */
export interface FactorPageOptions {
  readonly title?: string
  /** Language of the page (default: English). */
  readonly lang?: Language
  /** Makes charts interactive for mouse, finger and keys, by one inline script of about 600 kB (default: off). */
  readonly interactive?: boolean
  /** Horizons that are shown in full (default: all). The decay has all. */
  readonly horizons?: readonly number[]
  /** How many factors and variants were tried, this one included. */
  readonly tried?: number
  /** What a reader must know of the data, as the notes of a panel. */
  readonly notes?: readonly Words[]
  /** When columns of the panel are known, by name, of those known at a clock time. */
  readonly known?: Readonly<Record<string, string>>
  readonly source?: PageSource
  /** What `quotebook factor` was asked, with which `quotebook verify` makes the page again, and the file that it read. */
  readonly command?: Readonly<Record<string, unknown>>
  readonly code?: { readonly name: string; readonly sha256: string }
}

/** All that the sections of the page are made from. */
export interface FactorSheet {
  readonly say: Say
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
  const [some, all] = [formatCount(spreadDates), formatCount(Math.max(dates, spreadDates))]
  return say`${some} of ${all} dates`
}

export function factorSheetOf(study: FactorStudy, options: FactorPageOptions): FactorSheet {
  const say = sayIn(options.lang)
  if (options.tried !== undefined) wholeNumber(options.tried, 1, 'factorPage: tried')
  const asked = study.horizons.filter(({ horizon }) => options.horizons?.includes(horizon) ?? true)
  const shown = asked.length > 0 ? asked : study.horizons
  const isBars = /^\d{8} /.test(study.signal.times[0] ?? '')
  const ahead = (n: number): string => (isBars ? say`${n} bars` : say(fact('HORIZON', '{n} d', { n })))
  return { say, study, options, shown, first: shown[0] as SignalHorizon, ahead }
}
