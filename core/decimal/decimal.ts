/** An exact decimal number: `coefficient × 10^-scale`, scale ≥ 0. */
export type Decimal = { readonly coefficient: bigint; readonly scale: number }
