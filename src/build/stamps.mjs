/*
 * What each step of the build was made from: dist/.built/STEP.json has the files that it read and the sha256 of them. What npm installed
 * is in it by package-lock.json, and the build itself goes into all.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const stampOf = (name) => `dist/.built/${name}.json`
const isFile = (path) => statSync(path).isFile()

/** The files of folders, without what the site writes into its own. */
export const filesBelow = (paths) =>
  paths.flatMap((path) =>
    isFile(path)
      ? [path]
      : readdirSync(path, { recursive: true })
          .map((name) => join(path, name))
          .filter((name) => !/\.vitepress\/(?:pages|cache|\.temp)\//.test(name) && isFile(name)),
  )

function hashOf(files) {
  const hash = createHash('sha256').update(process.version)
  for (const path of [...filesBelow(['src/build', 'package.json', 'package-lock.json']), ...files])
    if (!path.startsWith('node_modules/')) hash.update(path).update(existsSync(path) ? readFileSync(path) : 'none')
  return hash.digest('hex')
}

/** What a step was made from; undefined before it was. */
export function inputsOf(name) {
  return existsSync(stampOf(name)) ? JSON.parse(readFileSync(stampOf(name), 'utf8')) : undefined
}

/** Whether a step is as its inputs are. @param of folders of which every file is one */
export function isBuilt(name, of) {
  const made = inputsOf(name)
  return made !== undefined && made.hash === hashOf(of ? filesBelow(of).sort() : made.files)
}

export const forget = (name) => rmSync(stampOf(name), { force: true })

/** Remembers what a step was made from. A file that changed while it ran may not be in it: then it is not remembered. */
export function remember(name, files) {
  const known = files.filter((path) => existsSync(path)).sort()
  if (known.some((path) => statSync(path).mtimeMs >= performance.timeOrigin)) return forget(name)
  mkdirSync('dist/.built', { recursive: true })
  writeFileSync(stampOf(name), JSON.stringify({ hash: hashOf(known), files: known }))
}
