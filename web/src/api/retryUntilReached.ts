import { ApiFailure } from './apiFailure.ts'
import { isUnreachable } from './isUnreachable.ts'
import { pause } from './pause.ts'

const WAIT_FIRST_MS = 1_000
const WAIT_LONGEST_MS = 5_000
const RATE_LIMITED = 429

/**
 * Repeats a request until the service responds to it, and returns the response.
 *
 * @param onFailure Called after each attempt without a response.
 * @throws whatever else the request throws, and the last failure once `signal` aborts.
 */
export async function retryUntilReached<Answer>(
  send: () => Promise<Answer>,
  signal: AbortSignal,
  onFailure: (failure: ApiFailure) => void = () => undefined,
): Promise<Answer> {
  for (let waitMs = WAIT_FIRST_MS; ; waitMs = Math.min(WAIT_LONGEST_MS, waitMs * 2)) {
    try {
      return await send()
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error
      onFailure(error)
      await pause(((error.retryAfterSeconds ?? 0) * 1_000 || waitMs) * (0.75 + Math.random() / 2), signal)
      if (signal.aborted) throw error
    }
  }
}

function isTransient(error: unknown): error is ApiFailure {
  return isUnreachable(error) || (error instanceof ApiFailure && error.status === RATE_LIMITED)
}
