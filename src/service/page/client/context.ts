import type { Language, Say } from './words.js'

/** What every part of the page is given. */
export interface Context {
  readonly language: Language
  readonly say: Say
}
