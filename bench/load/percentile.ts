/**
 * Returns a percentile by nearest rank: the smallest figure that at least `percent` per cent of the figures do not exceed.
 *
 * It does not interpolate, so the result is always a measured figure; `NaN` for none.
 *
 * @param percent In (0, 100].
 */
export function percentile(figures: Iterable<number>, percent: number): number {
  const sorted = Float64Array.from(figures).sort()
  // Multiplies first, because 0.99 has no exact binary form and the rounded-up product could be one rank too high.
  const rank = Math.ceil((sorted.length * percent) / 100)
  return sorted[rank - 1] ?? Number.NaN
}
