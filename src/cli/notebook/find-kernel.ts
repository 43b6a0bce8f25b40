import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'

/** Where tslab is installed: beside the notebooks, or apart from what else a research folder has. */
const places = ['node_modules/tslab', 'kernel/node_modules/tslab']

function above(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...above(parent)]
}

/** The folder of tslab, looked for from each of the given folders upwards. */
export function findKernel(folders: readonly string[]): string | undefined {
  const candidates = folders
    .flatMap((folder) => above(resolve(folder)))
    .flatMap((folder) => places.map((place) => join(folder, place)))
  return candidates.find((path) => existsSync(join(path, 'dist/executor.js')))
}

/** There is no kernel for a notebook or a folder. */
export function noKernel(what: string): QuotebookError {
  const how = sentence`run 'npm install' in a folder that 'quotebook notebook init' made, and work from there`
  return new QuotebookError('PACKAGE', sentence`${what}: tslab, which runs notebooks, is not installed: ${how}`)
}

/** The kernel for a notebook: that of its folder first, then of others. @throws QuotebookError PACKAGE where there is none */
export function kernelFor(file: string, folders: readonly string[]): string {
  const found = findKernel([dirname(resolve(file)), ...folders])
  if (found === undefined) throw noKernel(file)
  return found
}
