import { redactValues } from '../audit/withholdValues.ts'
import { isTransientFailure } from './isPassingFailure.ts'
import { serviceUnavailable } from './unavailable.ts'

/** Lets a failure that may pass be the answer that says so: ask again. Any other is told without the values it is about. */
export async function translateFailure<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking
  } catch (error) {
    if (isTransientFailure(error)) throw serviceUnavailable(error)
    redactValues(error)
    throw error
  }
}
