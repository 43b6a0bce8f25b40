/** The best of many scores, best first; equal scores by their place. Scores that are NaN take no part. */
export class BestScores {
  symbols: Int32Array = new Int32Array(0)
  length = 0
  #scores = new Float64Array(0)
  #most = 0
  /** What scores are multiplied by, so that the best is the lowest. */
  readonly sign: 1 | -1

  constructor(side: 'lowest' | 'highest') {
    this.sign = side === 'lowest' ? 1 : -1
  }

  /** How many it takes. */
  get most(): number {
    return this.#most
  }

  /** A score that is not below it, the sign turned for the highest, is none of the best; NaN while there is room. */
  worst: number = Number.NaN

  /** Starts anew, for so many. */
  clear(most: number): void {
    if (most > this.symbols.length) {
      this.symbols = new Int32Array(most)
      this.#scores = new Float64Array(most)
    }
    this.#most = most
    this.length = 0
    this.worst = Number.NaN
  }

  /** Takes the scores of instruments in ascending order of their place. */
  add(symbol: number, score: number): void {
    const sized = score * this.sign
    const scores = this.#scores
    const symbols = this.symbols
    const isFull = this.length === this.#most
    if (isFull ? !(sized < (scores[this.length - 1] as number)) : Number.isNaN(sized)) return
    let at = isFull ? this.length - 1 : this.length++
    while (at > 0 && (scores[at - 1] as number) > sized) {
      scores[at] = scores[at - 1] as number
      symbols[at] = symbols[at - 1] as number
      at--
    }
    scores[at] = sized
    symbols[at] = symbol
    if (this.length === this.#most) this.worst = scores[this.length - 1] as number
  }

  scoreAt(rank: number): number {
    return (this.#scores[rank] as number) * this.sign
  }
}

/**
 * Who is to be held, in rank order: of the held ones among the first `exitRank` the `n` best stay, and the best that are not
 * held fill up.
 * @param ranked instruments, best first; at least the first max(n, exitRank)
 */
export function chosen(
  ranked: ArrayLike<number>,
  n: number,
  exitRank: number,
  isHeld: (symbol: number) => boolean,
): number[] {
  const within = Math.min(ranked.length, Math.max(n, exitRank))
  let staying = 0
  for (let rank = 0; rank < within && staying < n; rank++) if (isHeld(ranked[rank] as number)) staying++
  let joining = n - staying
  const ranks: number[] = []
  for (let rank = 0; rank < ranked.length && staying + joining > 0; rank++) {
    const stays = isHeld(ranked[rank] as number)
    if ((stays ? staying : joining) === 0) continue
    if (stays) staying--
    else joining--
    ranks.push(rank)
  }
  return ranks
}
