/** The folder of the package; found here because one source must build to both ESM and CommonJS. */
module.exports = require('node:path').dirname(__dirname)
