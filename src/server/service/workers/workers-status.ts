/** How many processes answer. */
export interface WorkersStatus {
  readonly wanted: number
  /** Those that listen; while one is being replaced, one more. */
  readonly listening: number
  /** Times that one ended by itself and another took its place. */
  readonly restarts: number
  /** Times that one ended without having been told to, also while another was about to take its place. */
  readonly deaths: number
}
