let last = Promise.resolve()

/** Ends in a later turn of the event loop: long work that awaits it now and then lets others through. All who wait take turns. */
export function yieldTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
  return last
}
