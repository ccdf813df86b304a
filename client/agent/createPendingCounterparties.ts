/** The response to a runtime challenge. Source: Spec: Runtime challenge. */
export type ChallengeAnswer = { status: number; body: Record<string, unknown> }

/**
 * Tracks the counterparties that an agent is about to contact, and answers runtime challenges about them.
 *
 * A counterparty is added before it is contacted and removed afterwards; if it is contacted twice at once, it stays until
 * both contacts are over. An answer names only the counterparty of the challenge, so that it does not reveal whom else the
 * agent deals with.
 *
 * Source: Spec: Runtime challenge; Spec: Agent-hosted challenge endpoint.
 */
export function createPendingCounterparties(now: () => number = Date.now) {
  const pending = new Map<string, number>()

  function add(names: readonly string[]): () => void {
    for (const name of names) pending.set(name, (pending.get(name) ?? 0) + 1)
    return () => {
      for (const name of names) {
        const left = (pending.get(name) ?? 1) - 1
        if (left > 0) pending.set(name, left)
        else pending.delete(name)
      }
    }
  }

  return {
    /** Runs work while a counterparty, under all the names it may go by, is pending. */
    async during<Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result> {
      const remove = add(names)
      try {
        return await work()
      } finally {
        remove()
      }
    },

    /** Answers a parsed challenge; anything else gets 400. Never throws. */
    challenge(body: unknown): ChallengeAnswer {
      const { challengeId, counterpartyId, type } = (
        typeof body === 'object' && body !== null ? body : {}
      ) as Record<string, unknown>
      const isChallenge = typeof challengeId === 'string' && typeof counterpartyId === 'string'
      if (!isChallenge || type !== 'pending_verification') {
        return { status: 400, body: { success: false, error: 'not a challenge' } }
      }
      const acknowledged = pending.has(counterpartyId)
      const pendingCounterparties = acknowledged ? [counterpartyId] : []
      const respondedAt = new Date(now()).toISOString()
      return { status: 200, body: { challengeId, acknowledged, pendingCounterparties, respondedAt } }
    },
  }
}
