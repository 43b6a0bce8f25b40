import { misuse } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import type { Account } from './account.js'
import { givenBack } from './strategy-fault.js'

const asked = ['universe', 'score', 'weights', 'orders', 'update', 'exit']

/** The functions of a strategy that remembers, each with its memory as the last argument, and that memory taken from an account before they are asked. */
export function withState<S extends object>(
  strategy: S,
): { readonly strategy: S; readonly take: (account: Account) => void } {
  const { state: begin } = strategy as { readonly state?: () => unknown }
  if (begin === undefined) return { strategy, take: () => undefined }
  const fresh = (): object => {
    const state: unknown = begin.call(strategy)
    if (typeof state === 'object' && state !== null && !(state instanceof Promise)) return state
    throw misuse(sentence`strategy: state gives an object, such as { peak: 0 }; it gave ${givenBack(state)}`)
  }
  let memory: unknown = fresh()
  const bound = Object.entries(strategy).map(([name, value]) => {
    if (typeof value !== 'function' || !asked.includes(name)) return [name, value]
    return [name, (...args: readonly unknown[]) => value.call(strategy, ...args, memory)]
  })
  const take = (account: Account): void => {
    account.memory ??= fresh()
    account.reads++
    memory = account.memory
  }
  return { strategy: Object.fromEntries(bound) as S, take }
}
