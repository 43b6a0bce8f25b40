import type { Admission, Doorkeeper } from '../caller.js'

const anyone: Admission = { caller: { name: 'anyone', plan: 'flagship' } }
const missing: Admission = { refused: 'forbidden', message: 'apikey is missing or empty; any text will do here' }

/** Lets in whoever brings a key, whatever it is: for a service without a key file, on this machine only. */
export function openDoor(): Doorkeeper {
  return { open: true, admit: (apikey) => (apikey === '' ? missing : anyone) }
}
