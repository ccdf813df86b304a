import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { AgentTraceStore } from '../../store/agents/agentTraceStore.ts'
import { listOwners } from '../listOwners.ts'
import type { SessionPrincipal } from '../principal.ts'
import { searchNamed } from '../searchNamed.ts'
import { type ViewAgentDeps, viewAgent } from './viewAgent.ts'

export type ListAgentsDeps = ViewAgentDeps & {
  agents: Pick<AgentStore, 'listByOwners' | 'namesByOwners'> & AgentTraceStore
}

export type ListAgentsInput = {
  principal: SessionPrincipal
  /** Only those of this organisation. */
  organizationId?: string | undefined
  /** Part of a name or an identifier, or the whole of a thumbprint, of an address or of a transaction hash. */
  search?: string | undefined
  page: { limit: number; before: number | null }
  now: number
}

/**
 * Lists the agents of all accounts that the signed-in user acts for, newest first, optionally filtered by a search term.
 *
 * Source: `Spec: GET /api/agents`.
 */
export async function listAgents(deps: ListAgentsDeps, input: ListAgentsInput) {
  const { items, nextBefore } = await agentsOf(deps, input)
  const views = items.map((agent) => viewAgent(deps, agent, { viewer: 'owner', now: input.now }))
  return { items: await Promise.all(views), nextBefore }
}

/** Of a public key. Source: RFC 7638. */
const THUMBPRINT = /^[\w-]{43}$/
/** An address or a transaction hash. */
const ON_CHAIN = /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i

async function agentsOf({ agents }: ListAgentsDeps, input: ListAgentsInput) {
  const { principal, organizationId, search, page } = input
  const owners = listOwners(principal, organizationId)
  if (search === undefined) return agents.listByOwners(owners, page)
  if (THUMBPRINT.test(search)) {
    const withKey = await agents.withKey(owners, search)
    if (withKey.length > 0) return agents.listByOwners(owners, page, withKey)
  }
  const { found, nextBefore } = ON_CHAIN.test(search)
    ? await searchNamed(
        { search, page },
        (part) => agents.tracesByOwners(owners, part),
        ({ traces }) => traces,
      )
    : await searchNamed(
        { search, page },
        (part) => agents.namesByOwners(owners, part),
        ({ name, svcId, id }) => [name, svcId, id],
      )
  const wanted = found.map(({ svcId }) => svcId)
  return { items: (await agents.listByOwners(owners, page, wanted)).items, nextBefore }
}
