/** `node notebooks/install.mjs`, a part of `npm ci`: installs tslab unless what its lock file names is there, so that tests need no network. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))

/** npm leaves a copy of what it has installed; it names every package that the lock file wants. */
function installed() {
  const hidden = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(hidden)) return false
  const { packages: wanted } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const { packages: there } = JSON.parse(readFileSync(hidden, 'utf8'))
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      !path.startsWith('node_modules/') || optional || there[path]?.version === version,
  )
}

if (!installed()) {
  console.error('notebooks: installing the kernel (npm --prefix notebooks ci)')
  const { status } = spawnSync('npm', ['--prefix', folder, 'ci', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exitCode = 1
}
