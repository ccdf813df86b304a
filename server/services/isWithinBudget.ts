import { ApiError } from '../errors.ts'

/**
 * Consumes one unit of a budget and returns whether there was one, for actions that are skipped, not refused, beyond it.
 */
export async function isWithinBudget(
  budget: { take(caller: string, now: number): unknown },
  caller: string,
  now: number,
): Promise<boolean> {
  try {
    await budget.take(caller, now)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RATE_LIMITED') return false
    throw error
  }
}
