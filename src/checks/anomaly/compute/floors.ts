export type Measure = 'abnormal' | 'severe' | 'severe by count'

/** Which days restart a measure: those computed, none, or days of the calendar given for the stock, ascending. */
export type Restarts =
  | 'computed'
  | 'none'
  | { readonly abnormal: readonly number[]; readonly severe: readonly number[] }

/** First days of one stock, by place in its path, that intervals may begin on, and counted movements may lie on. */
export class Floors {
  /** Intervals of the first day have no close before them. */
  abnormal = 1
  /** Of a movement that is counted: those that overlap are one. */
  apart = 1
  counted = 0
  /** Of all severe measures: after days without limit, given restarts and halts. */
  common = 1
  /** After a rule's own event, by days of its window. */
  private readonly severe = new Map<number, number>()
  private readonly used = { abnormal: 0, severe: 0, halts: 0 }

  constructor(
    private readonly restarts: Restarts,
    /** Days of verification halts, by place in the calendar, ascending. */
    private readonly halts: readonly number[],
  ) {}

  severeOf(days: number): number {
    return Math.max(this.common, this.severe.get(days) ?? 0)
  }

  /** Days without limit lie outside every interval. */
  afterFree(floor: number): void {
    this.abnormal = floor
    this.apart = floor
    this.common = floor
  }

  /** Each rule ends with its own event: one for a rise and one for a fall of the same window end together. */
  afterEvent(measure: Measure, days: number, floor: number): void {
    if (this.restarts !== 'computed') return
    if (measure === 'abnormal') this.abnormal = floor
    else if (measure === 'severe') this.severe.set(days, floor)
    else this.counted = floor
  }

  private restart(measure: 'abnormal' | 'severe', floor: number): void {
    if (measure === 'abnormal') {
      this.abnormal = Math.max(this.abnormal, floor)
      this.apart = Math.max(this.apart, floor)
    } else {
      this.common = Math.max(this.common, floor)
      this.counted = Math.max(this.counted, floor)
    }
  }

  /** Restarts given for days before a day of the calendar take effect on a day of the path. */
  given(before: number, floor: number): void {
    if (typeof this.restarts === 'string') return
    for (const measure of ['abnormal', 'severe'] as const) {
      const days = this.restarts[measure]
      while (used(days, this.used[measure], before)) {
        this.restart(measure, floor)
        this.used[measure]++
      }
    }
  }

  /** Halts before a day of the calendar with a close end there, and everything begins anew with it. */
  resume(day: number, floor: number): void {
    while (used(this.halts, this.used.halts, day)) {
      this.restart('abnormal', floor)
      this.restart('severe', floor)
      this.used.halts++
    }
  }
}

function used(days: readonly number[], at: number, before: number): boolean {
  return at < days.length && (days[at] as number) < before
}
