import { readFileSync } from 'node:fs'

/** Most bytes that this process had in memory. On Linux its own: that of getrusage begins with the one of whoever started it. */
export function peak(): number {
  try {
    const [, kilobytes] = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}
