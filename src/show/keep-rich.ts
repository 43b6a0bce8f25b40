/** What console.log asks for, and with it the last expression of a cell in tslab. */
export const inspect = Symbol.for('nodejs.util.inspect.custom')

/** What kernels that ask for several forms ask for: Deno's, and runners without a screen. */
export const jupyter = Symbol.for('Jupyter.display')
