/** Lines for stdout, gathered for a moment: a system call for each would cost more than an answer. */
export interface Lines {
  write(line: string): void
  /** Everything is written. */
  end(): Promise<void>
}

const [patience, most] = [100, 2 ** 16]

/** Whoever reads may go away: then there are no more lines, and the process goes on. */
export function lines(): Lines {
  let isRead = true
  process.stdout.removeAllListeners('error')
  process.stdout.on('error', () => {
    isRead = false
  })
  process.stderr.on('error', () => undefined)
  let gathered = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const text = gathered
    gathered = ''
    if (text !== '' && isRead) process.stdout.write(text)
  }
  return {
    write: (line) => {
      gathered += `${line}\n`
      if (gathered.length >= most) flush()
      else timer ??= setTimeout(flush, patience)
    },
    end: () => {
      flush()
      return new Promise((resolve) => (isRead ? process.stdout.write('', () => resolve()) : resolve()))
    },
  }
}
