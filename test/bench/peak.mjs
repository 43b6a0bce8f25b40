import { readFileSync } from 'node:fs'

/** Most bytes that a process had in memory, by the system (Linux): the peak of getrusage begins with that of whoever started it. */
export const peakBytes = (pid = 'self') =>
  Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024
