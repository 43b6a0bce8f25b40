/**
 * The middle of turnover / (volume x close) over the rows that traded; undefined where none did. It is near the number of units that one
 * of the volume counts: 1, or a lot.
 */
export function turnoverRatio(
  amount: ArrayLike<number>,
  vol: ArrayLike<number>,
  close: ArrayLike<number>,
): number | undefined {
  const ratios: number[] = []
  for (let row = 0; row < amount.length; row++) {
    const [turnover = 0, traded] = [amount[row], (vol[row] as number) * (close[row] as number)]
    if (turnover > 0 && traded > 0) ratios.push(turnover / traded)
  }
  return ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]
}
