import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** What a file of test/helper exports that starts servers: they are TypeScript. */
export async function testServer(name) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../helper/${name}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`)
}
