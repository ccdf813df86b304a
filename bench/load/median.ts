/**
 * The middle of some figures, the mean of the two middle ones when their count is even.
 *
 * Rounds are summed up by it because a round that something else disturbed does not move it. `NaN` of nothing.
 */
export function median(figures: Iterable<number>): number {
  const sorted = Float64Array.from(figures).sort()
  const upper = Math.floor(sorted.length / 2)
  const high = sorted[upper] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : (high + (sorted[upper - 1] ?? Number.NaN)) / 2
}
