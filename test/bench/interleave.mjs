export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

/** Milliseconds that a loop of five million additions takes: the yardstick of goals that were measured where it takes 6. */
export function additions() {
  const numbers = new Float64Array(5e6).fill(1.5)
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now()
    let sum = 0
    for (let at = 0; at < numbers.length; at++) sum += numbers[at]
    if (sum !== 7.5e6) throw new Error(`the sum is ${sum}`)
    return performance.now() - start
  })
  return median(times)
}

/** Numbers from 0 up to 1, the same on every run. */
export function random(seed = 1) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state / 0x80000000
  }
}

/**
 * Median milliseconds of each variant. They take turns, A B C, B C A, C A B, so that a busy machine, and the garbage
 * that one leaves to the next, weigh on all alike. The heap is not collected by force: that would also throw away the
 * compiled code of everything but the built-in functions.
 * @param variants functions by name; what they return is kept until the clock has stopped
 */
export async function interleave(variants, { rounds = 11, warmUp = 3 } = {}) {
  const names = Object.keys(variants)
  const times = new Map(names.map((name) => [name, []]))
  for (let round = 0; round < rounds + warmUp; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]
      const start = performance.now()
      const kept = await variants[name]()
      const time = performance.now() - start
      if (kept === undefined) throw new Error(`${name} returned nothing`)
      if (round >= warmUp) times.get(name).push(time)
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]))
}
