import { ApiError } from '../errors.ts'

/**
 * Takes one out of a budget and says whether there was one left; for what is left out, not refused, past its budget.
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
