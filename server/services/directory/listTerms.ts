import type { AgentRow } from '../../store/agents/agentStore.ts'

/** More terms than these would make one agent appear everywhere. */
const TERMS_MAX = 500
const LENGTH_MAX = 200

/** The term of every listed agent. */
export const LISTED = 'listed'

/** The term of a protocol, and of a skill by its id, its name or one of its tags, regardless of case. */
export const protocolTerm = (protocol: string) => `protocol:${protocol}`
export const skillTerm = (skill: string) =>
  `skill:${skill.normalize('NFKC').trim().toLowerCase().slice(0, LENGTH_MAX)}`

/** A skill of an A2A declaration, which was validated when it was stored. */
type Skill = { id: string; name: string; tags?: string[] }

/** The skills that an agent declares. */
export function skillsOf({ declarations }: Pick<AgentRow, 'declarations'>): Skill[] {
  const skills = declarations.a2a?.skills
  return Array.isArray(skills) ? skills : []
}

/** Lists the terms by which an agent is found; none unless its owner wants that. */
export function listTerms(agent: Pick<AgentRow, 'isListed' | 'protocols' | 'declarations'>): string[] {
  if (!agent.isListed) return []
  const skills = skillsOf(agent).flatMap(({ id, name, tags = [] }) => [id, name, ...tags])
  const terms = [LISTED, ...agent.protocols.map(protocolTerm), ...skills.map(skillTerm)]
  return [...new Set(terms)].slice(0, TERMS_MAX)
}
