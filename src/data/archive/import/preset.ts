/** A column of a table that another program writes. */
export interface PresetColumn {
  /** Its names there: that of the program, and those that its documentation gives it in Chinese. */
  readonly heads: readonly string[]
  /** The column of the contract; absent: it means something else there, and is not kept. */
  readonly to?: string
  /** Its unit there, where that is not the unit of the contract, and by which power of ten one becomes the other. */
  readonly unit?: string
  readonly shift?: number
  /** Without it the table is none of these. */
  readonly needed?: true
}

/** A table that another program writes of a dataset: one declaration says all that an import does with it. */
export interface Preset {
  /** Program and table, as its users call it. */
  readonly name: string
  /** Where its form is published. */
  readonly source: string
  readonly dataset: string
  /** Of files that are known by themselves; absent: known by its columns. */
  readonly form?: 'tdx'
  readonly columns: readonly PresetColumn[]
  /** Columns of the contract that repeat the code in its other spelling. */
  readonly alsoCode?: string
  /** What the name of the table tells of each of its rows. */
  readonly given?: Readonly<Record<string, string>>
  /** Its units are believed only with `amount`, `vol` and `close`, which prove them. */
  readonly isProven?: true
}
