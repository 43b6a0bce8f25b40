// Deep: runs every command of the tutorials, one after the other, as a reader does.
import { expect, test } from 'vitest'
import { blocks, commandsIn, folderOf, isChinese, onPort, runs, starts, walks } from '../../helper/documents.js'
import { hasPythonPackage } from '../../helper/python-package.js'
import { freePort } from '../../helper/server-process.js'

const hasPandas = hasPythonPackage('pandas')

test.each(walks.filter((page) => !isChinese(page)))('%s: a walk through it shows what it says', async (page) => {
  const [folder, port] = [folderOf(page), await freePort()]
  const commands = blocks('console', [page]).flatMap(({ text }) => commandsIn(text))
  expect(commands.length).toBeGreaterThan(4)
  const running: { readonly end: () => Promise<void> }[] = []
  try {
    for (const shown of commands.map((one) => onPort(port, one)))
      if (shown.command.startsWith('quotebook serve')) running.push(await starts(shown, folder))
      else if (hasPandas || !shown.command.includes('python3')) await runs(shown, folder)
  } finally {
    for (const one of running) await one.end()
  }
})
