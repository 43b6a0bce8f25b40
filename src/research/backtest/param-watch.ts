import { misuse } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { sentence } from '../../contract/sentence.js'
import type { TrialParams } from './sweep-grid.js'

/** Names that the language asks any object for. */
const ofObjects = new Set([...Object.getOwnPropertyNames(Object.prototype), 'then', 'toJSON'])

/** Which params are read: one by one, by `in`, or all at once by a spread. Also those that are not there: there a strategy has its own. */
export class ParamWatch {
  readonly read = new Set<string>()
  readonly #given: readonly string[]
  #list: readonly string[] = []

  /** @param given what is waited for: when all of it has been read, nothing more is watched; unless given it goes on */
  constructor(given: readonly string[] = ['\0']) {
    this.#given = given
  }

  get isDone(): boolean {
    return this.#given.every((name) => this.read.has(name))
  }

  /** What was read so far; the same list until there is more. */
  get names(): readonly string[] {
    if (this.#list.length !== this.read.size) this.#list = [...this.read]
    return this.#list
  }

  /** The params, watched. */
  over<P extends TrialParams>(params: P): P {
    if (this.isDone) return params
    const see = (name: string | symbol): void => {
      if (typeof name === 'string' && (Object.hasOwn(params, name) || !ofObjects.has(name))) this.read.add(name)
    }
    const seen =
      <R>(ask: (own: P, name: string | symbol) => R) =>
      (own: P, name: string | symbol): R => {
        see(name)
        return ask(own, name)
      }
    return new Proxy(params, {
      get: seen(Reflect.get<P, string | symbol>),
      has: seen(Reflect.has),
      getOwnPropertyDescriptor: seen(Reflect.getOwnPropertyDescriptor<P, string | symbol>),
      ownKeys: (own) => {
        for (const name of Object.keys(own)) see(name)
        return Reflect.ownKeys(own)
      },
    })
  }
}

/** @throws QuotebookError USAGE for a param that nothing has read */
export function refuseUnread(given: readonly string[], read: readonly string[]): void {
  const unread = given.find((name) => !read.includes(name))
  if (unread === undefined) return
  const others = read.filter((name) => !given.includes(name))
  const near = nearest(unread, others)
  const hint = near === undefined ? '' : sentence` Did you mean '${near}'?`
  const known =
    read.length === 0 ? sentence`No params are read.` : sentence`Params that are read: ${read.toSorted().join(', ')}`
  throw misuse(sentence`nothing reads the param '${unread}'.${hint} ${known}`)
}
