/*
 * danfo's own declarations, for the sources and for users of the package, who do not install danfojs-node: those of the
 * bundled part are copied to dist/danfo/types. Private members are left out, protected ones made public: they would keep a
 * frame with typed columns (FrameOf) from being a DataFrame.
 */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Options of readers, writers and plots that the bundle leaves out, and of its table printer: their shape is not ours. */
const outside = /^import \{([^}]*)\} from ['"](?:table|plotly\.js-dist-min|node-fetch|papaparse|xlsx)['"];?$/gm
const declared = (names) =>
  names
    .split(',')
    .map((name) => `interface ${name.trim()} { [option: string]: any }`)
    .join('\n')

const types = 'dist/danfo/types'
await cp('node_modules/danfojs-node/dist/danfojs-base', types, {
  recursive: true,
  filter: (path) => !path.endsWith('.js'),
})
for (const name of await readdir(types, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue
  const text = await readFile(join(types, name), 'utf8')
  const own = text
    .replace(/^ *private [^\n]*;\n/gm, '')
    .replace(/^( *)protected /gm, '$1')
    .replace(outside, (_, names) => declared(names))
  if (own !== text) await writeFile(join(types, name), own)
}
await writeFile('dist/danfo/package.json', `${JSON.stringify({ type: 'commonjs' })}\n`)
