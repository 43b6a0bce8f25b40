import { messageOf } from '../contract/error.js'

/** An error that came from another thread has its name and not its class. */
function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError'
}

/** What leaves a decoder in a state that nobody knows: a trap of WebAssembly, or memory that it could not have. */
export function isFatal(error: unknown): boolean {
  return isTrap(error) || error instanceof RangeError
}

/** Why a reader failed, in words. */
export function failureReason(error: unknown): string {
  return isTrap(error) ? `its decoder broke down (${messageOf(error)})` : messageOf(error)
}
