import type { MetricCounts } from '../metrics.js'
import type { WorkersStatus } from './workers-status.js'

/** What a worker tells or asks the process that started it; `n` numbers what is to be answered. */
export type FromWorker =
  | { readonly kind: 'take'; readonly n: number; readonly id: string; readonly rate: number }
  | { readonly kind: 'all counts'; readonly n: number }
  | { readonly kind: 'counts'; readonly counts: MetricCounts }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'cancel'; readonly call: string }

/** What a worker is told. */
export type FromPrimary =
  | { readonly kind: 'answer'; readonly n: number; readonly value: number | string }
  | { readonly kind: 'counts' }
  | { readonly kind: 'status'; readonly status: WorkersStatus }
  | { readonly kind: 'cancel'; readonly call: string }
  /** `isGentle`: others answer already, so that connections that wait may wait on. */
  | { readonly kind: 'end'; readonly isGentle: boolean }
