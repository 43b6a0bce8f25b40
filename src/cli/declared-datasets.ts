import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { declareDataset, findDataset } from '../contract/catalogue.js'
import type { OwnDataset } from '../contract/dataset.js'
import { QuotebookError } from '../contract/error.js'
import { parseManifest } from '../data/archive/manifest.js'
import { checkJson, parseJson } from '../frame/table/check-json.js'
import { loadFault } from '../research/backtest/strategy-module.js'
import { whyOf } from './error-text.js'
import { importUrl } from './library.js'
import { wrongUse } from './wrong-use.js'

/** Where declarations lie: in an archive, beside a strategy, in the working folder. */
const folderName = 'datasets'
const forms = ['.json', '.mjs', '.ts']

async function declarationOf(file: string): Promise<OwnDataset> {
  if (extname(file) === '.json') {
    checkJson(readFileSync(file), { what: file })
    return parseJson(readFileSync(file, 'utf8'), file) as OwnDataset
  }
  const { default: given } = await importUrl(resolve(file)).catch(async (cause: unknown) => {
    if (cause instanceof QuotebookError) throw cause
    throw new QuotebookError('USAGE', await loadFault(cause, resolve(file)), { cause })
  })
  return given as OwnDataset
}

/** Declares the dataset of a file, which is named as the file. @throws QuotebookError USAGE naming the file */
async function declareFile(file: string): Promise<void> {
  try {
    const own = await declarationOf(file)
    const name = basename(file, extname(file))
    const given = own && typeof own === 'object' && own.name === undefined ? { ...own, name } : own
    if (given?.name !== name && typeof given?.name === 'string')
      throw wrongUse("it declares '{name}', and must be named so: datasets/{name}.json, not {file}", {
        name: given.name,
        file: name,
      })
    declareDataset(given)
  } catch (cause) {
    throw wrongUse('{file}: {why}', { file, why: whyOf(cause) }, { cause })
  }
}

function declarations(folder: string, extensions: readonly string[]): readonly string[] {
  const own = join(folder, folderName)
  if (!existsSync(own)) return []
  const files = readdirSync(own).filter((name) => extensions.includes(extname(name)) && !name.endsWith('.d.ts'))
  return files.sort().map((name) => join(own, name))
}

/**
 * Declares the dataset of a name from `datasets/` of the first folder that has it, where the caller trusts the code. Other files of such
 * a folder are none of ours.
 */
export async function declareNamed(name: string, folders: readonly string[]): Promise<void> {
  const files = folders.flatMap((folder) => declarations(folder, forms))
  const file = files.find((one) => basename(one, extname(one)) === name)
  if (file !== undefined) await declareFile(file)
}

/** The word after an option, or after `=`. */
function wordOf(option: string, words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`))
  return at < 0 ? undefined : (/=(.*)$/.exec(words[at] as string)?.[1] ?? words[at + 1])
}

/**
 * Makes known what a line will speak of before it is read: datasets of the archive that it names, and those of its words that
 * the working folder has as `datasets/WORD.json`. No code is run. What is wrong with an archive is told when it is opened.
 */
export async function learnDatasets(words: readonly string[]): Promise<void> {
  const places = [wordOf('--source', words), wordOf('--archive', words), process.env.QUOTEBOOK_SOURCE]
  for (const place of places) {
    const file = join(place ?? '', 'manifest.json')
    if (!place || /^\w+:\/\//.test(place) || !existsSync(file)) continue
    const text = readFileSync(file, 'utf8')
    // Most archives have none: they are read once, when they are opened.
    if (!text.includes('"own": [')) continue
    try {
      parseManifest(text, file)
    } catch (error) {
      if (error instanceof QuotebookError && error.code === 'USAGE') throw error
    }
  }
  const spoken = new Set(words.flatMap((word) => word.split(/[=,.]/)))
  for (const file of declarations('.', ['.json'])) {
    const name = basename(file, '.json')
    if (spoken.has(name) && findDataset(name) === undefined) await declareFile(file)
  }
}
