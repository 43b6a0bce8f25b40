import { say } from './chosen-language.js'
import { tell } from './output.js'

/** Lines, gathered for a moment: a system call for each would cost more than an answer. */
export interface Lines {
  write(line: string): void
  /** Everything is written. Where nobody reads it the process ends after two seconds. */
  end(): Promise<void>
}

const [patience, most] = [100, 2 ** 16]
/** Bytes that may wait for a slow reader; and milliseconds, when the process ends. */
const [waiting, grace] = [2 ** 24, 2000]

/** Gathers lines for a sink, which takes some of them at a time, each with its end. */
export function gathered(sink: (text: string) => void): { readonly write: Lines['write']; readonly flush: () => void } {
  let text = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const all = text
    text = ''
    if (all !== '') sink(all)
  }
  const write = (line: string): void => {
    text += `${line}\n`
    if (text.length >= most) flush()
    else timer ??= setTimeout(flush, patience)
  }
  return { write, flush }
}

/**
 * Whoever reads may go away, or fall behind: the process goes on without the lines, and says so once each time. After a full
 * disk they begin again, on a new line.
 */
export function stdoutLines(): Lines {
  const { stdout } = process
  let [isRead, isWell, isCut] = [true, true, false]
  const lose = (why: string): void => {
    if (isWell) tell('access log: lines are lost, {why}', { why })
    isWell = false
  }
  stdout.removeAllListeners('error')
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    isCut = true
    isRead = error.code !== 'EPIPE'
    lose(isRead ? (error.code ?? error.message) : say('nobody reads them'))
  })
  const { write, flush } = gathered((text) => {
    if (!isRead) return
    if (stdout.writableLength > waiting) {
      lose(say('their reader is too slow'))
      return
    }
    stdout.write(isCut ? `\n${text}` : text, (error) => {
      if (error) return
      isWell = true
      isCut = false
    })
  })
  return {
    write,
    end: () => {
      flush()
      return new Promise((resolve) => {
        if (!isRead) return resolve()
        // A write that waits for its reader would keep the process; nothing else is under way by now.
        const late = setTimeout(() => process.exit(), grace)
        stdout.write('', () => {
          clearTimeout(late)
          resolve()
        })
      })
    },
  }
}
