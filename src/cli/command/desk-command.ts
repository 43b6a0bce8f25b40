import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { archiveAt } from '../../connect.js'
import { say } from '../chosen-language.js'
import { port } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { deskFolders, deskWords } from '../desk-folders.js'
import { whyOf } from '../error-text.js'
import { ended } from '../interrupt.js'
import { log, tell } from '../output.js'
import { archiveRead, isService } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'

type Options = OptionsOf<typeof words>

/** Opens an address in the browser of the machine; where there is none, the address was said. */
function openBrowser(url: string): void {
  const [command, args]: [string, string[]] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['cmd', ['/c', 'start', '', url]]
        : ['xdg-open', [url]]
  spawn(command, args, { detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref()
}

async function run({ source, port: asked, open, ...folders }: Options): Promise<void> {
  if (source !== undefined && isService(source))
    throw wrongUse('the desk reads an archive; {source} is a service: sync it, or give --cache of it as --source', {
      source,
    })
  if (source === undefined) tell('the synthetic sample, since no --source is given: no number in it is real')
  const { startService } = await import('../../server/service/server.js')
  const { createShares } = await import('../../server/service/share/tick-shares.js')
  const archive = archiveAt(source === undefined ? undefined : archiveRead(source), { oncePerTurn: true })
  const onFault = (error: unknown): void => log(say('fault: {why}', { why: whyOf(error).replaceAll('\n', ' ') }))
  const service = await startService({
    archive,
    shares: createShares(archive, { onFault }),
    desk: deskFolders(folders),
    port: asked,
    onFault,
  })
  try {
    tell('desk {url}/  Ctrl-C ends it', { url: service.url })
    // The first page is made before anybody asks for it.
    void fetch(`${service.url}/`).catch(() => undefined)
    if (open) openBrowser(`${service.url}/`)
    await ended()
  } finally {
    await service.close()
  }
}

// biome-ignore format: a table, one word a line
const words = {
  desk: ['walk around an archive in the browser: the day, tables, codes, coverage, checks, runs and accounts; it reads, on this machine alone'],
  '--source <source>': ["directory of an archive, or its address in ClickHouse, clickhouse://… (default: 'sample')", { env: 'QUOTEBOOK_SOURCE' }],
  ...deskWords,
  '--port <n>': ['port to listen on; 0: any free port', { parse: port, usual: 8080 }],
  '--open': ['open the desk in your browser'],
} as const satisfies CommandWords

export const deskCommand = (): Command => declare(words).action(run)
