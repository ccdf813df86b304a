import { withholdValues } from '../audit/withholdValues.ts'
import { isPassingFailure } from './isPassingFailure.ts'
import { unavailable } from './unavailable.ts'

/** Lets a failure that may pass be the answer that says so: ask again. Any other is told without the values it is about. */
export async function tellFailure<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking
  } catch (error) {
    if (isPassingFailure(error)) throw unavailable(error)
    withholdValues(error)
    throw error
  }
}
