import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

/** `quotebook` in a process of its own. @param flags of Node */
export function ownProcess(words: readonly string[], options: SpawnOptions, flags: readonly string[] = []) {
  return spawn(process.execPath, [...process.execArgv, ...flags, process.argv[1] as string, ...words], options)
}

/** The exit code of a process and what it wrote, when it has ended. */
export async function heardOf(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const heard = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      heard[name] += text
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...heard }
}
