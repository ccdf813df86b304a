import type { AgentStore } from '../../../store/agents/agentStore.ts'

/** Maximum registrations per page. */
const PAGE_MAX = 1_000

export type RegistrationList = {
  registrations: { agentId: number; agentRegistry: string }[]
  /** Id after which the next page begins; null on the last page. */
  nextAfter: number | null
}

/**
 * Lists the on-chain agents of this host in the order of their token ids. Source: EIP-8004 "Endpoint Domain Verification".
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
