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

/** Maximum number of pages that a request reads; the next request continues after them. */
const PAGES_MAX = 5

/**
 * Lists agents that their owners want to be found, newest first.
 *
 * A score depends on the time, so it is computed for each agent that the terms fit: with `minTrust`, a page may be short or
 * empty without being the last, as `nextBefore` says.
 */
export async function searchDirectory(deps: SearchDirectoryDeps, input: SearchDirectoryInput) {
  const { skill, protocol, minTrust = 0, page, now } = input
  const items: Awaited<ReturnType<typeof toEntry>>[] = []
  let { before } = page
  for (let pages = 0; pages < PAGES_MAX && items.length < page.limit; pages += 1) {
    const rest = { limit: page.limit - items.length, before }
    const found = await deps.directory.find(termsOf(skill, protocol), rest)
    for (const svcId of found.items) {
      const agent = await deps.agents.bySvcId(svcId)
      const entry = agent && (await toEntry(deps, agent, now))
      if (entry && entry.trustScore >= minTrust) items.push(entry)
    }
    before = found.nextBefore
    if (before === null) break
  }
  return { items, nextBefore: before }
}

function termsOf(skill: string | undefined, protocol: string | undefined): [string, ...string[]] {
  const terms = [
    ...(skill === undefined ? [] : [skillTerm(skill)]),
    ...(protocol === undefined ? [] : [protocolTerm(protocol)]),
  ]
  const [first = LISTED, ...others] = terms
  return [first, ...others]
}

async function toEntry(deps: SearchDirectoryDeps, agent: AgentRow, now: number) {
  const view = await viewAgent(deps, agent, { viewer: 'anyone', now })
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
