import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  update(done: number, of: number, what: string): void
  stop(): void
}

/** A bar on stderr in a terminal; silent in a pipe. */
export function bar(name: string): Progress {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined }
  const format = `${name} {bar} {value}/{total} {what}`
  const single = new SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  )
  let started = false
  return {
    update(done, of, what) {
      if (!started) single.start(of, done, { what })
      started = true
      single.setTotal(of)
      single.update(done, { what })
    },
    stop() {
      if (started) single.stop()
    },
  }
}
