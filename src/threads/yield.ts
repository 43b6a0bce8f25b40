let last = Promise.resolve()

/** Turns that others have between two of long work: the event loop takes a connection, and answers one that is new, a turn. */
const turnsOfOthers = 2

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function turns(): Promise<void> {
  for (let turn = 0; turn < turnsOfOthers; turn++) await nextTurn()
}

/** Ends in a later turn of the event loop: long work that awaits it now and then lets others through. All who wait take turns. */
export function yieldTurn(): Promise<void> {
  last = last.then(turns)
  return last
}
