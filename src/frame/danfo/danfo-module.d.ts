/** dist/danfo/danfo.cjs, which bundle.mjs builds. */
declare module '#danfo' {
  export * from 'danfojs-node/dist/danfojs-base/index.js'
}
