import { expect, test } from 'vitest'
import { blocks, commandsIn, firstOf, folderOf, onPort, runs, type Shown, starts } from './documents.js'
import { freePort } from './server-process.js'
import { tempDir } from './temp.js'

/** Blocks of documents with commands: those that begin by serving, and the others. */
function consoles(
  of: readonly string[],
  isService: boolean,
): (readonly [document: string, first: string | undefined, text: string])[] {
  const wanted = blocks('console', of).filter(({ text }) => text.startsWith('$ quotebook serve') === isService)
  // What stands in both languages is run once.
  return firstOf(wanted).map(({ document, text }) => [document, text.split('\n')[0], text])
}

/** A test for each block of commands: what a reader sees is what stands there. */
export function testConsoles(of: readonly string[]): void {
  test.each(consoles(of, false))('%s: %s', async (document, _first, text) => {
    const folder = folderOf(document)
    for (const shown of commandsIn(text)) await runs(shown, folder)
  })

  test.each(consoles(of, true))('%s: %s, and what is asked of it', async (_, _first, text) => {
    const [folder, port] = [tempDir(), await freePort()]
    const [serve, ...others] = commandsIn(text).map((shown) => onPort(port, shown))
    expect(others.length).toBeGreaterThan(0)
    const service = await starts(serve as Shown, folder)
    try {
      for (const shown of others) await runs(shown, folder)
    } finally {
      await service.end()
    }
  })
}
