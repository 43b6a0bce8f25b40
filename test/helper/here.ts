import { exitCode, program } from '../../src/cli/program.js'
import type { Ran } from './cli.js'

type Write = typeof process.stdout.write

function caught(stream: NodeJS.WriteStream): { readonly text: () => string; readonly end: () => void } {
  const [own, pieces]: [Write, Buffer[]] = [stream.write, []]
  stream.write = ((piece: string | Uint8Array) => {
    pieces.push(Buffer.from(piece as string))
    return true
  }) as Write
  return {
    text: () => Buffer.concat(pieces).toString(),
    end: () => {
      stream.write = own
    },
  }
}

/** Runs the command in this process, which has loaded it: from the sources, with the sample unless a source is named. */
export async function here(...args: readonly string[]): Promise<Ran> {
  const [out, err] = [caught(process.stdout), caught(process.stderr)]
  const before = process.exitCode
  process.exitCode = 0
  process.env.QUOTEBOOK_SOURCE ??= 'sample'
  try {
    const failed = await program()
      .parseAsync([...args], { from: 'user' })
      .then(() => undefined, exitCode)
    return { code: failed ?? Number(process.exitCode), out: out.text(), err: err.text() }
  } finally {
    process.exitCode = before
    out.end()
    err.end()
    for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name)
  }
}
