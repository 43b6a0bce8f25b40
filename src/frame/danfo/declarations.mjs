/*
 * Gives users of the package danfo's own declarations without danfojs-node, which they do not install: those of the
 * bundled part are copied to dist/danfo/types, and the built types.d.ts are pointed at them. Runs after tsc.
 */
import { cp, readFile, writeFile } from 'node:fs/promises'

const theirs = 'danfojs-node/dist/danfojs-base/index.js'

await cp('node_modules/danfojs-node/dist/danfojs-base', 'dist/danfo/types', {
  recursive: true,
  filter: (path) => !path.endsWith('.js'),
})
/** Options of readers, writers and plots that the bundle leaves out, and of its table printer: their shape is not ours. */
const options = 'dist/danfo/types/shared/types.d.ts'
const outside = /^import \{([^}]*)\} from ['"](?:table|plotly\.js-dist-min|node-fetch|papaparse|xlsx)['"];?$/gm
const declared = (names) =>
  names
    .split(',')
    .map((name) => `interface ${name.trim()} { [option: string]: any }`)
    .join('\n')
await writeFile(
  options,
  (await readFile(options, 'utf8')).replace(outside, (_, names) => declared(names)),
)
await writeFile('dist/danfo/package.json', `${JSON.stringify({ type: 'commonjs' })}\n`)
for (const build of ['esm', 'cjs']) {
  const path = `dist/${build}/frame/danfo/types.d.ts`
  const text = await readFile(path, 'utf8')
  if (!text.includes(theirs)) throw new Error(`${path} does not import ${theirs}`)
  await writeFile(path, text.replaceAll(theirs, '../../../danfo/types/index.js'))
}
