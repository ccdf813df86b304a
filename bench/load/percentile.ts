/**
 * The smallest of the figures that at least `percent` per cent of them do not exceed (nearest rank).
 *
 * No interpolation: every answer it gives is a figure that was measured. `NaN` of nothing; `percent` in (0, 100].
 */
export function percentile(figures: Iterable<number>, percent: number): number {
  const sorted = Float64Array.from(figures).sort()
  // Multiplied first: 0.99 has no exact binary form, and 0.99 * 100 rounded up would be one rank too far.
  const rank = Math.ceil((sorted.length * percent) / 100)
  return sorted[rank - 1] ?? Number.NaN
}
