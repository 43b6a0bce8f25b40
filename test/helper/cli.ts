export { main, quotebook, type Ran, runCommand as quotebookBeside } from '../promise/helper/command.js'

export const root = process.cwd()
