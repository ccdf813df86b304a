import type { Refusal } from './refusedError.ts'

/** More requests than an agent has waiting for its owner. */
const REQUESTS_MAX = 100

/**
 * Remembers which attempt each held request belongs to, so that a model can repeat the request once the owner has approved
 * it: as a new attempt, it would have to be approved again.
 */
export function createAttempts() {
  const attempts = new Map<string, string>()
  return {
    find: (request: string): string | undefined => attempts.get(request),

    /** Notes the outcome of a request: an attempt ends with any other outcome than being held. */
    note(request: string, refusal: Refusal | null): void {
      attempts.delete(request)
      if (refusal?.attemptId === undefined) return
      attempts.set(request, refusal.attemptId)
      const [oldest] = attempts.keys()
      if (attempts.size > REQUESTS_MAX && oldest !== undefined) attempts.delete(oldest)
    },
  }
}
