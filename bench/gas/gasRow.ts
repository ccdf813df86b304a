/** One line of the gas table. */
export type GasRow = {
  readonly name: string
  readonly ours: number
  /** Cost of the same operation in the reference, if there is one. */
  readonly reference?: number
  /** `ours / reference`. */
  readonly ratio?: number
  readonly unit: 'gas' | 'gas per record'
}
