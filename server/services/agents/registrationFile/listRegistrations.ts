import type { AgentStore } from '../../../store/agents/agentStore.ts'

/** Registrations on one page of the document. */
const PAGE_MAX = 1_000

export type RegistrationList = {
  registrations: { agentId: number; agentRegistry: string }[]
  /** Id after which the next page begins; null on the last one. */
  nextAfter: number | null
}

/**
 * The agents of this host that are on chain, in the order of their ids there.
 *
 * Source: EIP-8004 "Endpoint Domain Verification"; onchain.md "Registration file".
 */
export async function listRegistrations(
  deps: { agents: AgentStore },
  input: { after: number | null },
): Promise<RegistrationList> {
  const found = await deps.agents.listRegistrations(input.after, PAGE_MAX + 1)
  const shown = found.slice(0, PAGE_MAX)
  return {
    registrations: shown.map((row) => ({ agentId: row.chainAgentId, agentRegistry: row.chainRegistry })),
    nextAfter: found.length > PAGE_MAX ? (shown.at(-1)?.chainAgentId ?? null) : null,
  }
}
