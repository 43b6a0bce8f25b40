import { spawnSync } from 'node:child_process'
import { interleave } from './interleave.mjs'

export const question = 'a process that imports quotebook, against one that imports apache-arrow alone'
const goal = 2

const run = (code) => {
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${code} failed`)
  return true
}

export async function measure() {
  const { arrow, quotebook } = await interleave(
    { arrow: () => run("import 'apache-arrow'"), quotebook: () => run("import 'quotebook'") },
    { rounds: 11 },
  )
  return [{ what: 'whole process', time: quotebook, against: arrow, goal }]
}
