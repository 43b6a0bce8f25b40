/** The library that the user's module imports: the command's own file has another copy of Arrow. */
export type Library = typeof import('../index.js')
