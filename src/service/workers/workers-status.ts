/** How many processes answer. */
export interface WorkersStatus {
  readonly wanted: number
  /** Those that listen; while one is being replaced, one more. */
  readonly listening: number
  /** Times that one ended by itself and another took its place. */
  readonly restarts: number
}
