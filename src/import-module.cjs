/** Imports a module as the runtime does; here because the command is bundled with imports turned into require. */
const loader = require('node:module')
const { pathToFileURL } = require('node:url')

const here = pathToFileURL(__filename).href

/** What `find` gives, at once or later; if there is no such package, what `instead` does. */
function orElse(find, instead) {
  const another = (error) => {
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(error.code)) throw error
    return instead()
  }
  try {
    const found = find()
    return typeof found.then === 'function' ? found.then(undefined, another) : found
  } catch (error) {
    return another(error)
  }
}

const isOwn = (name) => name === 'quotebook' || name.startsWith('quotebook/')

/** Hook of Node's loader: a module that has no package of that name around it is given this one. */
function resolve(name, context, next) {
  const find = () => next(name, context)
  return isOwn(name) ? orElse(find, () => next(name, { ...context, parentURL: here })) : find()
}

/** Hook of Node's loader: who has no TypeScript is spared the library. */
function load(url, context, next) {
  return /^file:.*\.m?ts(\?|$)/.test(url)
    ? require('../dist/lib/strip-types.cjs').load(url, context, next)
    : next(url, context)
}

/** Has this thread take TypeScript and find this package, in the same way on every Node; `require` does not heed the hooks of all. */
function takeHooks() {
  if (loader.registerHooks) loader.registerHooks({ resolve, load })
  else loader.register(here)
  const { _resolveFilename: find } = loader
  const own = (name, ...rest) =>
    orElse(
      () => find(name, ...rest),
      () => find(name, module),
    )
  loader._resolveFilename = (name, ...rest) => (isOwn(name) ? own : find)(name, ...rest)
}

let hooked = false

module.exports = async (url) => {
  if (url.startsWith('file:') && !url.endsWith('/dist/esm/index.js')) {
    if (!hooked) takeHooks()
    hooked = true
  }
  return import(url)
}
module.exports.resolve = resolve
module.exports.load = load
