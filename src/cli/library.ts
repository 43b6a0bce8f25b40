import { pathToFileURL } from 'node:url'

/** The library that the user's module imports: the command's own file has another copy of Arrow. */
export type Library = typeof import('../index.js')

/** A module of a file, as the runtime imports it; found only when it is wanted. @param copy another number is the module anew */
export async function importUrl(path: string, copy?: number): Promise<Readonly<Record<string, unknown>>> {
  const { default: importModule } = await import('#import-module')
  return importModule(`${pathToFileURL(path).href}${copy === undefined ? '' : `?copy=${copy}`}`)
}
