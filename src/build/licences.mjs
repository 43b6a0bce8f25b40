/* The licence texts of the packages whose code a bundle holds. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The packages whose files went into a bundle, by name. */
export function packagesOf(inputs) {
  const names = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  return [...new Set(names)].sort()
}

async function licenceOf(name, known) {
  const folder = join('node_modules', name)
  const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = [
    ...(await readdir(folder)),
    ...(await readdir(join(folder, 'dist')).catch(() => [])).map((entry) => `dist/${entry}`),
  ]
    .sort()
    .filter((entry) => /^(?:dist\/)?(licen[cs]e([-_][\w]+)?|notice)(\.(md|txt))?$/i.test(entry))
  if (files.length === 0 && !known[name]) throw new Error(`${name} has no licence file`)
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return `${name} ${version} (${license})\n\n${(texts.length > 0 ? texts : [known[name]]).map((text) => text.trim()).join('\n\n')}\n`
}

/** One text of all their licences. @param known texts of packages that carry none */
export async function licencesOf(names, known = {}) {
  const texts = await Promise.all(names.map((name) => licenceOf(name, known)))
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
