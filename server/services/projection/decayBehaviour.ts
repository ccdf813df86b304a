import type { AgentBehaviour } from '../../store/projectionStore.ts'

const HALF_LIFE_MS = 30 * 24 * 60 * 60 * 1000

/**
 * What counts of past behaviour are worth at a later time: half of it every 30 days.
 *
 * An earlier time, from a clock that was set back, changes nothing, so that nothing is ever worth more than it was.
 * Source: verification.md "Trust score".
 */
export function decayBehaviour(behaviour: AgentBehaviour, at: number): AgentBehaviour {
  const elapsed = at - behaviour.updatedAt
  if (elapsed <= 0) return behaviour
  const factor = 0.5 ** (elapsed / HALF_LIFE_MS)
  return {
    agentId: behaviour.agentId,
    grants: behaviour.grants * factor,
    violations: behaviour.violations * factor,
    failedChallenges: behaviour.failedChallenges * factor,
    updatedAt: at,
  }
}
