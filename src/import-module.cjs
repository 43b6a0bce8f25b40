/** Imports a module as the runtime does; here because the command is bundled with imports turned into require. */
const { readFileSync } = require('node:fs')
const loader = require('node:module')
const { fileURLToPath, pathToFileURL } = require('node:url')

const hooks = '../dist/lib/strip-types.cjs'
let typed

/** Whether a file is TypeScript, or names one that it imports: who is not is spared the library. */
function isTyped(url) {
  if (!url.startsWith('file:')) return false
  if (/\.m?ts(\?|$)/.test(url)) return true
  try {
    return /\.m?ts['"]/.test(readFileSync(fileURLToPath(url), 'utf8'))
  } catch {
    return false
  }
}

/** Has this thread take TypeScript, in the same way on every Node. */
async function takeTypes() {
  if (loader.registerHooks) loader.registerHooks({ load: require(hooks).load })
  else loader.register(hooks, pathToFileURL(__filename))
}

module.exports = async (url) => {
  if (!url.endsWith('/dist/esm/index.js') && isTyped(url)) {
    typed ??= takeTypes()
    await typed
  }
  return import(url)
}
