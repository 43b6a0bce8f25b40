/** Two answers to the same question are of different rows. */
export class ContradictionError extends Error {}
