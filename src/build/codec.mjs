/* Builds the codec of Parquet for dist/lib: parquet-wasm with a bound of its memory, and with another in the place of one that broke. */
import { readFile, writeFile } from 'node:fs/promises'

/** Where the section of a wasm module that declares its memory is, and what it holds. */
function memorySection(bytes) {
  for (let at = 8; at < bytes.length; ) {
    const [from, id] = [at, bytes[at++]]
    let size = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]
      size += (byte & 127) * scale
      if (byte < 128) break
    }
    const body = [...bytes.subarray(at, at + (id === 5 ? size : 0))]
    at += size
    if (id === 5 && body[0] === 1 && body[1] === 0) return { from, to: at, body }
  }
  throw new Error('parquet-wasm declares its memory in another way than it did')
}

const codec = 'node_modules/parquet-wasm/node'
/*
 * A codec that has failed in the middle of its work stays broken: `again` makes another. What fails in a task of its own, after
 * a promise, would end the process, and the promise that somebody waits for would never end: `unlessTrapped` rejects then. A
 * race against one promise of the trap would hold every result for ever.
 *
 * `withMost` gives the memory of an instance a size that it can't outgrow: section 5 of the module has one memory with a
 * minimum and no maximum, `5, size, 1, 0, minimum`. Here it gets one of three bytes, which `withMost` writes over.
 */
export async function buildCodec() {
  const bytes = await readFile(`${codec}/parquet_wasm_bg.wasm`)
  const memory = memorySection(bytes)
  const section = [5, memory.body.length + 3, 1, 1, ...memory.body.slice(2), 128, 128, 4]
  const before = bytes.subarray(0, memory.from)
  await writeFile('dist/lib/parquet_wasm_bg.wasm', [before, Buffer.from(section), bytes.subarray(memory.to)])
  const glue = (await readFile(`${codec}/parquet_wasm.js`, 'utf8'))
    .replace('new WebAssembly.Module(wasmBytes)', 'new WebAssembly.Module(withMost(wasmBytes, pages))')
    .split('return f(a, state.b, ...args);\n        } finally {')
  if (glue.length !== 2 || !glue.join().includes('withMost'))
    throw new Error('parquet-wasm is written in another way than it was')
  await writeFile(
    'dist/lib/parquet_wasm.cjs',
    `function withMost(bytes, pages) {
  bytes.set([pages & 127 | 128, pages >> 7 & 127 | 128, pages >> 14], ${memory.from + section.length - 3})
  return bytes
}
function again(pages) {
const exports = {}
const waiting = new Set()
let trap
${glue.join(`return f(a, state.b, ...args);
        } catch (error) {
            if (waiting.size === 0 || error?.name !== 'RuntimeError') throw error
            trap = error
            for (const fail of waiting) fail(error)
        } finally {`)}
exports.unlessTrapped = (work) => new Promise((resolve, reject) => {
  if (trap) reject(trap)
  waiting.add(reject)
  const end = (settle) => (value) => { waiting.delete(reject); settle(value) }
  work.then(end(resolve), end(reject))
})
return exports
}
exports.again = again
`,
  )
}
