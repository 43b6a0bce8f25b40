import { median } from './interleave.mjs'

const rounds = 7

/** Median milliseconds of CPU of each variant, all threads of this process; they take turns. */
export async function interleaveCpu(variants) {
  const names = Object.keys(variants)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + 1 + turn) % names.length]
      const before = process.cpuUsage()
      const kept = await variants[name]()
      const { user, system } = process.cpuUsage(before)
      if (kept === undefined) throw new Error(`${name} returned nothing`)
      if (round >= 0) times[name].push((user + system) / 1000)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]))
}

/** Runs `task` for each of a list, `atOnce` at a time. */
export async function inTurn(atOnce, list, task) {
  const left = list.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const one of left) await task(one)
    }),
  )
}
