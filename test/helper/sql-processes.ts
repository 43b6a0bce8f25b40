import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Process ids of the queries that a process runs, or keeps a process for. */
export function sqlProcesses(parent: number = process.pid): number[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return all.split('\n').flatMap((line) => {
    const [, pid, ppid, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(ppid) === parent && args.includes('sql-query.cjs') ? Number(pid) : []
  })
}

/** Bytes that a process has had in memory at most; 0 when it is gone. */
export function peakOf(pid: number): number {
  try {
    return 1024 * Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Watches the queries of this process until it is asked for the most that each of them had. */
export function watchPeaks(): () => readonly number[] {
  const peaks = new Map<number, number>()
  const timer = setInterval(() => {
    for (const pid of sqlProcesses()) peaks.set(pid, Math.max(peaks.get(pid) ?? 0, peakOf(pid)))
  }, 20)
  return () => {
    clearInterval(timer)
    return [...peaks.values()]
  }
}
