import { readFile, readlink } from 'node:fs/promises'

/** A process as the kernel tells it from every other that has run, as far as processes can look each other up. */
interface Owner {
  /** What both must be of to look each other up: this run of the kernel, and one space of process ids (a container has its own). */
  readonly space: string
  readonly pid: string
  /** Ticks of the kernel's clock from its start to that of the process. */
  readonly start: string
}

/** Id and start of a process, from the line of the kernel; a name in it may hold spaces and brackets. */
function processIn(line: string): Pick<Owner, 'pid' | 'start'> {
  const after = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return { pid: line.split(' ')[0] as string, start: after[19] as string }
}

let own: Promise<Owner | undefined> | undefined

async function lookUp(): Promise<Owner | undefined> {
  try {
    const [boot, space, line] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readlink('/proc/self/ns/pid'),
      readFile('/proc/self/stat', 'utf8'),
    ])
    return { space: `${boot.trim()} ${space}`, ...processIn(line) }
  } catch {
    return undefined
  }
}

/** This process, in a line; empty where the system has no `/proc`. */
export async function ownerText(): Promise<string> {
  own ??= lookUp()
  const owner = await own
  return owner ? JSON.stringify(owner) : ''
}

/**
 * Whether the process of such a line has surely ended: one of this run of the kernel that is no more, or whose id another has by
 * now. Of processes that can't be looked up from here nothing is sure. The line must be of a process of our own user: those of
 * others may be hidden.
 */
export async function hasEnded(text: string): Promise<boolean> {
  try {
    const { space, pid, start } = JSON.parse(text) as Owner
    own ??= lookUp()
    if (space !== (await own)?.space || !/^\d+$/.test(pid)) return false
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    return line === undefined || processIn(line).start !== start
  } catch {
    return false
  }
}
