import { UsageError } from './usageError.ts'

const LIMIT_MAX = 10_000

/** Parses `--limit`. @throws UsageError unless it is a number from 1 to 10,000. */
export function parseLimit(text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > LIMIT_MAX)
    throw new UsageError(`--limit must be from 1 to ${LIMIT_MAX}, got ${text}`)
  return limit
}
