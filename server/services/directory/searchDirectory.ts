import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { DirectoryStore } from '../../store/agents/directoryStore.ts'
import { servicesOf } from '../agents/registrationFile/registrationFileOf.ts'
import { type ViewAgentDeps, viewAgent } from '../agents/viewAgent.ts'
import { LISTED, protocolTerm, skillsOf, skillTerm } from './listTerms.ts'

export type SearchDirectoryDeps = ViewAgentDeps & {
  agents: Pick<AgentStore, 'bySvcId'>
  directory: Pick<DirectoryStore, 'find'>
}

export type SearchDirectoryInput = {
  /** Id, name or tag of a skill. */
  skill?: string | undefined
  protocol?: string | undefined
  minTrust?: number | undefined
  page: { limit: number; before: number | null }
  now: number
}

/**
 * Lists agents that their owners want to be found, newest first.
 *
 * A score depends on the time, and an operator may have suspended an owner, so both are checked for each agent that the
 * terms fit: a page may be short or empty without being the last, as `nextBefore` says.
 */
export async function searchDirectory(deps: SearchDirectoryDeps, input: SearchDirectoryInput) {
  const { skill, protocol, minTrust = 0, page, now } = input
  const items: ReturnType<typeof toEntry>[] = []
  const found = await deps.directory.find(termsOf(skill, protocol), page)
  for (const svcId of found.items) {
    const agent = await deps.agents.bySvcId(svcId)
    if (agent === null) continue
    const view = await viewAgent(deps, agent, { viewer: 'anyone', now })
    if (view.agentStatus !== 'active' || view.trustScore < minTrust) continue
    items.push(toEntry(deps, agent, view))
  }
  return { items, nextBefore: found.nextBefore }
}

function termsOf(skill: string | undefined, protocol: string | undefined): [string, ...string[]] {
  const terms = [
    ...(skill === undefined ? [] : [skillTerm(skill)]),
    ...(protocol === undefined ? [] : [protocolTerm(protocol)]),
  ]
  const [first = LISTED, ...others] = terms
  return [first, ...others]
}

function toEntry(deps: SearchDirectoryDeps, agent: AgentRow, view: Awaited<ReturnType<typeof viewAgent>>) {
  const { svcId, name, description, image, protocols, trustScore, onChainIdentity } = view
  const { agentCardUrl, registrationFileUrl } = view
  return {
    ...{ svcId, name, description, image, protocols, trustScore, onChainIdentity },
    skills: skillsOf(agent).map((skill) => ({ id: skill.id, name: skill.name })),
    services: servicesOf(agent, deps.publicUrl).map(({ name: service, endpoint }) => ({
      name: service,
      endpoint,
    })),
    ...{ agentCardUrl, registrationFileUrl },
  }
}
