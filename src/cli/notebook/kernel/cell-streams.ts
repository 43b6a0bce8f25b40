/** Takes what the process writes to its streams. @param take whether it took a text; if not, it is written as ever */
export function takeStreams(take: (name: 'stdout' | 'stderr', text: string) => boolean): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const write = process[name].write.bind(process[name]) as (...all: readonly unknown[]) => boolean
    process[name].write = (chunk: Uint8Array | string, ...rest: readonly unknown[]) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      if (!take(name, text)) return write(chunk, ...rest)
      for (const callback of rest) if (typeof callback === 'function') process.nextTick(callback)
      return true
    }
  }
}
