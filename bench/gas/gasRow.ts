/** One line of the gas table. */
export type GasRow = {
  readonly name: string
  readonly ours: number
  /** What the same costs in the reference that the row names; absent where there is none. */
  readonly reference?: number
  /** `ours / reference`. */
  readonly ratio?: number
  readonly unit: 'gas' | 'gas per record'
}
