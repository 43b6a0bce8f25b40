import { inspect } from 'node:util'
import { messageOf } from '../../../contract/error.js'
import type { Say } from '../../../contract/say.js'

/** An error as a console prints it, its message and those of its causes in a language. */
function inspected(error: Error, say: Say): string {
  let text = inspect(error)
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const message = messageOf(one)
    if (`${message}` !== '') text = text.replaceAll(String(message), () => say(message))
  }
  return text
}

/** Lets a console say the errors of cells in a language; what else it prints stays as it is. */
export function sayCellErrors(own: Pick<Console, 'error'>, say: Say): void {
  const error = own.error.bind(own)
  own.error = (...values: readonly unknown[]) =>
    error(...values.map((value) => (value instanceof Error ? inspected(value, say) : value)))
}
