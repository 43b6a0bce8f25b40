import { spawnSync } from 'node:child_process'

/** Debian's own, which its packages are for. */
export const python = '/usr/bin/python3'

/** Whether Python has a package that a test compares with. @throws where tests may lack nothing */
export function hasPythonPackage(name: string): boolean {
  const found = spawnSync(python, ['-c', `import ${name}`]).status === 0
  if (!found && process.env.CI)
    throw new Error(`no ${name} found; Debian: apt-get install python3-${name.replace('_', '-')}`)
  return found
}
