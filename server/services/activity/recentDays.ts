const DAY_MS = 24 * 60 * 60 * 1000

/** How many days sums and counts for owners cover: today and those before it, in UTC. */
export const RECENT_DAYS = 30

/** Finds the first of these days, in days since 1970. */
export function findFirstRecentDay(now: number): number {
  return Math.floor(now / DAY_MS) - (RECENT_DAYS - 1)
}
