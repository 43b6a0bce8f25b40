const quotebook = require('../../dist/cjs/index.js')
const { sourceOf } = require('./source.js')

/** The same notebook runs on any source: without options `connect` opens the one that the environment names. */
const connect = async (options) => quotebook.connect(options ?? sourceOf(process.env))

const own = { connect: { value: connect, enumerable: true } }
module.exports = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(quotebook), ...own })
