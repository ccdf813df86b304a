/** One line of the gas table. */
export type GasRow = {
  readonly name: string
  readonly ours: number
  /** Cost of the same operation in the reference, if there is one. */
  readonly reference?: number
  /** Gas that the operation must stay below: the reference, or a multiple of it where `ours` does more. */
  readonly limit?: number
  /** `ours / reference`. */
  readonly ratio?: number
  readonly unit: 'gas' | 'gas per record'
}

/** Builds a row in gas that must stay below its reference, or below `maxRatio` of it where ours does more work. */
export function compareGas(name: string, reference: number, ours: number, maxRatio = 1): GasRow {
  return { name, ours, reference, limit: maxRatio * reference, ratio: ours / reference, unit: 'gas' }
}
