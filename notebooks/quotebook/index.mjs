/** For modules beside the notebooks, such as strategies, which get their market from whoever loads them. */
export * from '../../dist/esm/index.js'
