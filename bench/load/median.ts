/**
 * Returns the median, which for an even count is the mean of the two middle figures; `NaN` for none.
 *
 * Rounds are summarised by their median because one disturbed round does not change it.
 */
export function median(figures: Iterable<number>): number {
  const sorted = Float64Array.from(figures).sort()
  const upper = Math.floor(sorted.length / 2)
  const high = sorted[upper] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : (high + (sorted[upper - 1] ?? Number.NaN)) / 2
}
