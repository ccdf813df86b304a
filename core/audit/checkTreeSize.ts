/**
 * Refuses a size or an index that is not a whole number a double holds exactly, 0 to 2^53 − 1.
 *
 * @throws Error: such a number comes from a programming fault, never from a caller's proof.
 */
export function checkTreeSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new Error(`${size} is not the size of a log`)
}
