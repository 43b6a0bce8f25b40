function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

/**
 * Median milliseconds of each variant. They take turns, A B C A B C, so that a busy machine is busy for all alike;
 * the heap is collected before each turn where node runs with --expose-gc.
 * @param variants functions by name; what they return is kept until the clock has stopped
 */
export async function interleave(variants, { rounds = 11, warmUp = 3 } = {}) {
  const times = new Map(Object.keys(variants).map((name) => [name, []]))
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const [name, run] of Object.entries(variants)) {
      globalThis.gc?.()
      const start = performance.now()
      const kept = await run()
      const time = performance.now() - start
      if (kept === undefined) throw new Error(`${name} returned nothing`)
      if (round >= warmUp) times.get(name).push(time)
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]))
}
