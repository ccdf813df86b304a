/** Writes epoch milliseconds as an ISO 8601 time in UTC; null stays null. */
export function toIsoTime(epochMs: number): string
export function toIsoTime(epochMs: number | null): string | null
export function toIsoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString()
}
