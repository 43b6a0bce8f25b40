/** What an import did to a file beyond reading it, for whoever gave the file. */
export type ImportRemark =
  /** Dates written otherwise than in the contract, by column. */
  | { readonly about: 'dates'; readonly columns: readonly string[] }
  /** Codes that were written as numbers, by column. */
  | { readonly about: 'codes'; readonly columns: readonly string[] }
  /** Text that is not UTF-8. */
  | { readonly about: 'encoding'; readonly encoding: 'GB18030' }
  /** The sheet of an Excel file that was read, and those that were not. */
  | { readonly about: 'sheet'; readonly sheet: string; readonly others: readonly string[] }
  /** Columns that the reply lacks, taken from the request that was kept with it. */
  | { readonly about: 'request'; readonly set: Readonly<Record<string, string>> }
  /** Days of which the request that was kept with it shows that all rows are there; `codes`: how many, or all. */
  | { readonly about: 'covered'; readonly from: string; readonly to: string; readonly codes: 'all' | number }
