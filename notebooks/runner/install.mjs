import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Installs what the notebooks need unless what their lock file names is there.
 * @throws Error when the install fails or the package has not been built
 */
export function install(folder) {
  if (!existsSync(join(folder, '../dist/cjs/index.js'))) {
    throw new Error('the package is not built: run npm ci (or npm run build) first')
  }
  if (installed(folder)) return
  console.error('notebooks: installing the kernel (npm --prefix notebooks ci)')
  const { status } = spawnSync('npm', ['--prefix', folder, 'ci', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('npm --prefix notebooks ci failed')
}

/** npm leaves a copy of what it has installed; it names every package that the lock file wants. */
function installed(folder) {
  const hidden = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(hidden)) return false
  const { packages: wanted } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const { packages: there } = JSON.parse(readFileSync(hidden, 'utf8'))
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      !path.startsWith('node_modules/') || optional || there[path]?.version === version,
  )
}
