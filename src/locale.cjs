/** The Chinese of all templates; a file of its own because one source must build to both ESM and CommonJS. */
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

module.exports = () => JSON.parse(readFileSync(join(__dirname, 'contract', 'locale', 'zh.json'), 'utf8'))
