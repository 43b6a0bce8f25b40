/** A signal for long work, aborted by Ctrl-C or a request to end. A second Ctrl-C ends the process at once. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort(new InterruptedError()))
  return controller.signal
}

export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  constructor() {
    super('interrupted; nothing was changed')
  }
}
