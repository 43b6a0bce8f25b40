import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from './install.mjs'

/* Part of `npm ci` in the root, so that tests need no network afterwards. */
install(dirname(dirname(fileURLToPath(import.meta.url))))
