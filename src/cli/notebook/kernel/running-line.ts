import { realClock } from '../../../data/source/transport/clock.js'
import { escapeHtml } from '../../../frame/show/cell-text.js'
import type { ProgressStep } from '../../../frame/show/notebook-output.js'

/** Milliseconds from the first step until there is a line, and between two states of it. */
const [patience, pause] = [1000, 200]

/** The one line of a cell that shows how far its work is: a bar in its place, and when the cell is over the last state as text. */
export class RunningLine {
  readonly #place: string
  readonly #put: (type: string, content: object) => void
  #next: number | undefined
  #last: ProgressStep | undefined
  #timer: NodeJS.Timeout | undefined
  #isShown = false
  #isOver = false

  /** @param place what no other line is called */
  constructor(place: string, put: (type: string, content: object) => void) {
    this.#place = place
    this.#put = put
  }

  tell(step: ProgressStep): void {
    if (this.#isOver) return
    this.#last = step
    const now = realClock.now()
    this.#next ??= now + patience
    const wait = this.#next - now
    if (wait <= 0) this.#showBar()
    else this.#timer ??= setTimeout(() => this.#showBar(), wait)
  }

  /** The cell is over. */
  end(): void {
    clearTimeout(this.#timer)
    if (this.#isShown) this.#show('')
    this.#isOver = true
  }

  #showBar(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#next = realClock.now() + pause
    if (this.#last) this.#show(`<progress max="${this.#last.of}" value="${this.#last.done}"></progress> `)
  }

  #show(bar: string): void {
    const text = this.#last?.text ?? ''
    this.#put(this.#isShown ? 'update_display_data' : 'display_data', {
      data: { 'text/html': `${bar}<span>${escapeHtml(text)}</span>`, 'text/plain': text },
      metadata: {},
      transient: { display_id: this.#place },
    })
    this.#isShown = true
  }
}
