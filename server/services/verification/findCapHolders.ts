import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'

/** Whose caps an agent uses up. A boundary and a parent never change, and so neither do these. */
export type CapHolders = {
  /** Whose spend and transactions these are at an endpoint: the highest ancestor of which it inherits, or itself. */
  countsAs: string
  /**
   * Under whose name the transactions are counted that its own hourly cap limits: itself, or the highest of the ancestors
   * from which it inherits the same cap.
   */
  rateCountsAs: string
  /** The ancestors whose hourly caps are higher, nearest first; each limits whatever its sub-agents do together. */
  ancestorRates: readonly { countsAs: string; max: number }[]
}

type Holder = Pick<AgentRow, 'svcId' | 'parentAgentId' | 'pdlss'>

/**
 * Finds whose caps an agent uses up: those of its ancestors as far up as the boundary is inherited, and its own.
 *
 * Source: docs/decisions/0159.
 */
export async function findCapHolders(agents: Pick<AgentStore, 'bySvcId'>, row: Holder): Promise<CapHolders> {
  let holder: Holder = row
  /** The caps met on the way up, each under the highest name that has it. */
  const rates = [{ countsAs: row.svcId, max: capOf(row) }]
  while (holder.parentAgentId !== null) {
    const parent = await agents.bySvcId(holder.parentAgentId)
    if (parent?.pdlss.selfInstantiation?.inheritPermissions !== true) break
    if (rates.at(-1)?.max === capOf(parent)) rates.pop()
    rates.push({ countsAs: parent.svcId, max: capOf(parent) })
    holder = parent
  }
  const [own, ...above] = rates
  return {
    countsAs: holder.svcId,
    rateCountsAs: own?.countsAs ?? row.svcId,
    ancestorRates: above.flatMap(({ countsAs, max }) => (max === undefined ? [] : [{ countsAs, max }])),
  }
}

function capOf({ pdlss }: Holder): number | undefined {
  return pdlss.limits?.maxTransactionsPerHour
}

/** The holders for an agent that shares no cap with any other. */
export function holdsOwnCaps(svcId: string): CapHolders {
  return { countsAs: svcId, rateCountsAs: svcId, ancestorRates: [] }
}
