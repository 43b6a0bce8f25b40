/*
 * Builds dist/cli: the command with all that it needs in a few files, so that it starts fast. `quotebook.cjs` has what a command
 * line is read with; what stands behind it is in rooms, each read when a command takes something from it. They are CommonJS
 * because Node finds, reads and compiles a module of that kind in half the time, and does not search the modules that it imports
 * for their exports. What is imported while the program runs is required then. Left out is what has files of its own (the bundles
 * in dist, the sample), or is seldom wanted. Of apache-arrow there is one copy, this one. Licences stand beside it.
 */
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { build, transform } from 'esbuild'
import { lateModule } from './late-module.mjs'
import { licencesOf, packagesOf } from './licences.mjs'
import { remember } from './stamps.mjs'

const namesOfDanfo = Object.keys(createRequire(import.meta.url)('../../dist/danfo/danfo.cjs'))

/** danfo is loaded when a frame is made: until then nothing is one, and few commands make any. */
const lateDanfo = {
  name: 'danfo when it is needed',
  setup(one) {
    one.onResolve({ filter: /^#danfo$/, namespace: 'file' }, () => ({ path: 'danfo', namespace: 'late' }))
    one.onLoad({ filter: /^danfo$/, namespace: 'late' }, () => ({
      contents: `${lateModule(namesOfDanfo, "require('#danfo')")}
for (const name of ['DataFrame', 'Series']) {
  const value = new Proxy(class {}, {
    construct: (_, given) => new (load()[name])(...given),
    get: (_, key) =>
      key === Symbol.hasInstance ? (one) => own !== undefined && one instanceof own[name] : load()[name][key],
  })
  Object.defineProperty(exports, name, { enumerable: true, value })
}`,
    }))
  },
}

/** What the command line is read with: everything of src/cli, and of the rooms these. */
const early =
  /^src\/(contract(?!\/chinese\/)|threads|cli|frame\/show\/(cell-text|terminal)|data\/(source\/transport\/clock|ticks\/share\/share-kinds)|server\/service\/authenticator)\b/
const roomOf = (file) =>
  /^src\/(?:(research|server)|contract\/(chinese))\//.exec(file)?.slice(1).find(Boolean) ?? 'data'
/** Files of rooms that the command line takes something from. */
const taken = new Set()
for (const name of await readdir('src/cli', { recursive: true })) {
  if (!name.endsWith('.ts')) continue
  const text = await readFile(join('src/cli', name), 'utf8')
  for (const [, path, late = path] of text.matchAll(
    /^(?:import (?!type)[^']*|\} from )'(\.[^']+)\.js'$|(?<!typeof )\bimport\('(\.[^']+)\.js'\)/gm,
  )) {
    const file = join('src/cli', name, '..', `${late}.ts`)
    if (!early.test(file)) taken.add(file)
  }
}

const parsed = await build({ entryPoints: [...taken], outdir: 'dist', write: false, metafile: true, format: 'esm' })
const exportsOf = new Map(Object.values(parsed.metafile.outputs).map((one) => [one.entryPoint, one.exports]))

/** Files of rooms are required when something of theirs is used; a room has them by their place among all that are taken. */
const rooms = {
  name: 'rooms when they are needed',
  setup(one) {
    const places = [...taken]
    one.onResolve({ filter: /^room:/ }, ({ path }) => ({ path, namespace: 'room' }))
    one.onLoad({ filter: /^room:/, namespace: 'room' }, ({ path }) => ({
      contents: places
        .flatMap((file, at) =>
          roomOf(file) === path.slice(5) ? `import * as at${at} from './${file}'; export { at${at} }` : [],
        )
        .join('\n'),
      resolveDir: process.cwd(),
    }))
    one.onResolve({ filter: /^\./, namespace: 'file' }, ({ path, importer }) => {
      const [from, file] = [relative('', importer), relative('', join(importer, '..', path.replace(/\.js$/, '.ts')))]
      // What all rooms say is in one file, which is read where Chinese is wanted.
      const isLate = from.startsWith('src/cli/') || roomOf(file) === 'chinese'
      return isLate && taken.has(file) ? { path: file, namespace: 'late' } : undefined
    })
    // What is imported while the program runs stays within its file.
    one.onLoad({ filter: /\/src\/.*\.ts$/, namespace: 'file' }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        /(?<!typeof )\bimport\(('\.[^']+')\)/g,
        'Promise.resolve().then(() => require($1))',
      ),
      loader: 'ts',
    }))
    one.onResolve({ filter: /^\.\/.*\.cjs$/, namespace: 'late' }, ({ path }) => ({ path, external: true }))
    one.onLoad({ filter: /./, namespace: 'late' }, ({ path }) => ({
      contents: lateModule(exportsOf.get(path), `require('./${roomOf(path)}.cjs').at${places.indexOf(path)}`),
    }))
  },
}

const { metafile, outputFiles } = await build({
  entryPoints: {
    quotebook: 'src/cli/main.ts',
    ...Object.fromEntries([...taken].map(roomOf).map((room) => [room, `room:${room}`])),
  },
  outdir: 'dist/cli',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  splitting: true,
  write: false,
  external: ['#*', '@duckdb/*', '@resvg/*', 'saxes', 'tslab'],
  platform: 'node',
  target: 'node20',
  format: 'esm',
  plugins: [lateDanfo, rooms],
  supported: { 'dynamic-import': false },
  treeShaking: true,
  // Half as much to read and to scan: bytes of ASCII, without blanks. Names stay, for whoever reads a stack.
  charset: 'ascii',
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})

const inputs = Object.keys(metafile.inputs)
await rm('dist/cli', { recursive: true, force: true })
await mkdir('dist/cli', { recursive: true })
for (const { path, text } of outputFiles) {
  const { code } = await transform(text, { format: 'cjs', charset: 'ascii', minifyWhitespace: true, lineLimit: 200 })
  await writeFile(path, code)
}
await chmod('dist/cli/quotebook.cjs', 0o755)
await writeFile('dist/cli/LICENCES.txt', await licencesOf(packagesOf(inputs)))
remember('cli', inputs)
