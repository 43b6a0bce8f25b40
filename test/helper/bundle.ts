import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { tempDir } from './temp.js'

/** What the package reads from its own files is left where it is. */
const leave: Plugin = {
  name: 'leave',
  setup: ({ onResolve }) => {
    const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      imports: Record<string, string | { readonly default: string }>
    }
    onResolve({ filter: /^#/ }, ({ path }) => {
      const to = imports[path]
      return { path: join(process.cwd(), typeof to === 'object' ? to.default : String(to)), external: true }
    })
    // Native: a bundle can not hold it.
    onResolve({ filter: /^@(duckdb\/node-api|resvg\/resvg-js)$/ }, ({ path }) => ({
      path: createRequire(import.meta.url).resolve(path),
      external: true,
    }))
  },
}

/** A program over the sources as they stand, in one file that a process of its own can run; its imports begin with `./src`. */
export async function bundled(program: string): Promise<string> {
  const file = join(tempDir(), 'program.mjs')
  await build({
    stdin: { contents: program, resolveDir: process.cwd() },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'error',
    plugins: [leave],
  })
  return file
}
