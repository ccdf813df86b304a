/** What is answered to a runtime challenge. Source: Spec: Runtime challenge. */
export type ChallengeAnswer = { status: number; body: Record<string, unknown> }

/**
 * The counterparties an agent is about to contact, and the answers to runtime challenges about them.
 *
 * A counterparty is added before it is contacted and removed afterwards; one that is contacted twice at once stays until
 * both are over. The answer names the counterparty that was asked about and no other: who else the agent deals with is
 * nobody's business.
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
    /** Registers the names a counterparty may go by while the work lasts. */
    async during<Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result> {
      const remove = add(names)
      try {
        return await work()
      } finally {
        remove()
      }
    },

    /** Answers a parsed challenge; 400 for what is none. Never throws. */
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
