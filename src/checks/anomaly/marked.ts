/** Whether a short name bears the mark of an ST stock, ST or *ST, with whatever other marks stand beside it. */
export function isMarked(name: string | null): boolean {
  return name?.includes('ST') === true
}
