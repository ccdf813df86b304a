/** One fault, the guarantee when it happens, and the tests of that guarantee. */
export type FaultRow = {
  number: number
  fault: string
  promise: string
  /** Files or patterns for mocha, relative to the root. */
  tests: readonly string[]
}
