const han = /\p{Script=Han}+/gu
const between = /[^\p{L}\p{N}_]+/u

/**
 * The words by which a text is found. Chinese has no blanks: each pair of neighbours is a word, so that any part of a term of two
 * characters or more is found by its pairs, and one character by the pairs that begin with it. Names as `pre_close` stay whole.
 */
export function tokens(text) {
  return text.split(between).flatMap((word) => {
    const pairs = (word.match(han) ?? []).flatMap((run) =>
      run.length < 2 ? [run] : [...run.slice(1)].map((next, i) => run[i] + next),
    )
    return [...pairs, ...word.split(han).filter(Boolean)]
  })
}
