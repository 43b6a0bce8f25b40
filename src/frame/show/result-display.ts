import { type Display, makeDisplayable } from './displayable.js'

/** Results that show themselves by their figures. */
export type ResultKind = 'backtest' | 'sweep' | 'performance' | 'factorStudy'

const displays = new Map<ResultKind, (result: never) => Display>()

/** How results of a kind look: the rooms that compute them know no pages. */
export function onResultShown<T extends object>(kind: ResultKind, displayOf: (result: T) => Display): void {
  displays.set(kind, displayOf)
}

/** A result as it is handed out. */
export function shownResult<T extends object>(kind: ResultKind, result: T): T {
  return makeDisplayable(result, (self) => {
    const word = () => kind
    return displays.get(kind)?.(self as never) ?? { text: word, html: word, word }
  })
}
