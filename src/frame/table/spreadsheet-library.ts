/** Made into dist/lib/spreadsheet.cjs: what Quotebook uses of hucre. */
export { readXlsx, writeXlsx } from 'hucre/xlsx'
