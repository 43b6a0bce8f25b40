/** Imports a module as the runtime does; here because the command is bundled with imports turned into require. */
module.exports = (url) => import(url)
