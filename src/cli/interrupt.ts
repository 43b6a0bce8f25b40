import { Script } from 'node:vm'
import { say } from './chosen-language.js'
import { tell } from './output.js'

/**
 * A signal for long work, aborted by Ctrl-C or a request to end. A second Ctrl-C ends the process at once.
 * @param message what is said then
 */
export function untilInterrupted(message?: string): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => controller.abort(new InterruptedError(message)))
  return controller.signal
}

/**
 * From now on does `reload` when a service manager asks for it, by SIGHUP or SIGUSR2; without it a word says that nothing is done. A
 * process of a terminal still ends with that one.
 */
export function onReload(reload?: () => void): void {
  for (const name of ['SIGUSR2', 'SIGHUP'] as const) {
    if (name === 'SIGHUP' && process.stdin.isTTY) continue
    // A signal that comes while nobody listens ends the process: the new listener is there before the old one goes.
    const before = process.listeners(name)
    process.on(name, reload ?? (() => tell('{name}: nothing to reload; this process goes on', { name })))
    for (const one of before) process.off(name, one)
  }
}

/** Ends with the first Ctrl-C or request to end, and gives its word. A second one ends the process at once. */
export function ended(): Promise<InterruptedError> {
  const signal = untilInterrupted()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }))
}

export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  constructor(message = say('interrupted; nothing was changed')) {
    super(message)
  }
}

/** The outcome of work that only reads, or the interruption, whichever comes first. */
export function unlessInterrupted<T>(work: Promise<T>): Promise<T> {
  const interrupted = ended().then((word) => Promise.reject(word))
  return Promise.race([work, interrupted])
}

/** A command that only reads, ended by Ctrl-C with a word. */
export function interruptible<A extends unknown[]>(
  action: (...given: A) => Promise<void>,
): (...given: A) => Promise<void> {
  return (...given) => unlessInterrupted(action(...given))
}

const held = Symbol.for('quotebook.held')
const holding = new Script("globalThis[Symbol.for('quotebook.held')]()")

/**
 * Work that holds the event loop until it is done: Ctrl-C ends it where it stands, which no listener could.
 * @param message what is said then
 */
export function breakable<T>(work: () => T, message?: string): T {
  Object.assign(globalThis, { [held]: work })
  try {
    return holding.runInThisContext({ breakOnSigint: true })
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw error
    throw new InterruptedError(message)
  }
}
