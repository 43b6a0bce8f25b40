import { misuse, type QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { Panel } from './panel.js'
import { givenBack } from './strategy-fault.js'

function wrong(what: Words): QuotebookError {
  return misuse(sentence`strategy: ${what}`)
}

function badWeight(weight: unknown, code: string | undefined): QuotebookError {
  const which = code === undefined ? sentence`a weight` : sentence`the weight of ${code}`
  return wrong(sentence`${which} is ${givenBack(weight)}; weights are shares of the account, at least 0`)
}

/** @throws QuotebookError USAGE */
export function checkWeights(weights: ArrayLike<number>, codeOf?: (at: number) => string): void {
  let sum = 0
  for (let at = 0; at < weights.length; at++) {
    const weight = weights[at] as unknown
    if (typeof weight !== 'number' || !(weight >= 0)) throw badWeight(weight, codeOf?.(at))
    sum += weight
  }
  if (sum > 1 + 1e-9) throw wrong(sentence`the weights are ${sum} together, more than the account`)
}

/** What to throw for a code that the panel does not have. */
export function unknownCode(what: Words, code: unknown, { symbols }: Pick<Panel, 'symbols'>): QuotebookError {
  const word = String(code)
  const near = symbols.find((one) => one.startsWith(`${word}.`)) ?? nearest(word, symbols)
  return wrong(
    sentence`${what} ${word}, which the panel does not have${near === undefined ? '' : sentence`; did you mean '${near}'?`}`,
  )
}

/** Puts shares by code that were returned into the array by place. @returns places of what is 'keep', and how many were named @throws QuotebookError USAGE */
export function takeShares(
  given: unknown,
  weights: Float64Array,
  places: ReadonlyMap<string, number>,
): { readonly kept: readonly number[]; readonly named: number } {
  const kind = Object.prototype.toString.call(given)
  const isMap = kind === '[object Map]'
  if (!isMap && (kind !== '[object Object]' || typeof (given as { then?: unknown }).then === 'function')) {
    const said = ArrayBuffer.isView(given)
      ? sentence`another array`
      : given === undefined
        ? 'undefined'
        : givenBack(given)
    throw wrong(
      sentence`weights returns shares of the account by code, such as { '123124.SZ': 0.8 } or a Map, or fills the array that it is given and returns nothing; it gave ${said}`,
    )
  }
  if (weights.some((weight) => weight !== 0))
    throw wrong(sentence`weights has filled the array and returned shares by code as well; do one of them`)
  type Share = number | 'keep'
  const entries = isMap ? [...(given as ReadonlyMap<string, Share>)] : Object.entries(given as Record<string, Share>)
  const kept: number[] = []
  for (const [code, share] of entries) {
    const place = places.get(code)
    if (place === undefined) throw unknownCode(sentence`a weight for`, code, { symbols: [...places.keys()] })
    if (share === 'keep') kept.push(place)
    else if (typeof share !== 'number' || !(share >= 0)) throw badWeight(share, code)
    weights[place] = share === 'keep' ? 0 : share
  }
  return { kept, named: entries.length }
}
