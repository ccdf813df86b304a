import { interfacesOf } from '@svc/core/card/interfacesOf.ts'
import { parseForeignName } from '@svc/core/foreign/foreignName.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { writeRegistrationFile } from '@svc/core/registrationFile/writeRegistrationFile.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'
import { agentStatusOf } from '../agentStatusOf.ts'
import { buildAgentLinks } from '../buildAgentLinks.ts'

/**
 * The registration file of a stored agent and the SHA-256 of its bytes, 64 hexadecimal digits.
 *
 * It depends only on the row, so that a lost file is restored with the same bytes. Wallets and explorers show each ERC-721
 * token by its image, so an agent without one gets the registry's.
 *
 * Source: EIP-8004 "Agent Registration File".
 */
export function registrationFileOf(agent: AgentRow, publicUrl: string): { text: string; sha256: string } {
  const registration = registrationOf(agent)
  const text = writeRegistrationFile({
    svcId: agent.svcId,
    name: agent.name,
    description: agent.description,
    image: agent.image ?? `${publicUrl}/agent.svg`,
    services: servicesOf(agent, publicUrl),
    x402Support: agent.protocols.includes('x402'),
    active: agentStatusOf(agent) === 'active',
    registrations: registration === null ? [] : [registration],
  })
  return { text, sha256: sha256Hex(text) }
}

/**
 * The services that an agent states: A2A with its card, if it has an interface, its MCP server, and its names elsewhere. A
 * challenge URL is no website, and nothing declares one.
 */
export function servicesOf(
  { svcId, declarations }: Pick<AgentRow, 'svcId' | 'declarations'>,
  publicUrl: string,
) {
  const { a2a = {}, mcp, names = {} } = declarations
  const { agentCardUrl } = buildAgentLinks(publicUrl, svcId)
  return [
    ...interfacesOf(a2a).map(({ protocolVersion }) => ({
      name: 'A2A',
      endpoint: agentCardUrl,
      version: protocolVersion,
    })),
    ...(mcp === undefined ? [] : [mcpServiceOf(mcp)]),
    ...nameServicesOf(names),
  ]
}

/** Blocks were validated when they were stored. */
function mcpServiceOf({ endpoint, version }: Record<string, unknown>) {
  return { name: 'MCP', endpoint: String(endpoint), version: version === undefined ? null : String(version) }
}

/** The version is that of the examples of the standard. */
function nameServicesOf({ ens, did }: Record<string, unknown>) {
  return Object.entries({ ENS: ens, DID: did }).flatMap(([name, endpoint]) =>
    endpoint === undefined ? [] : [{ name, endpoint: String(endpoint), version: 'v1' }],
  )
}

/**
 * The token of an agent: its number and its registry (CAIP-10), which for an adopted agent is another one; null before it is
 * minted. Source: ERC-8004.
 */
export function registrationOf(agent: AgentRow): { agentId: number; agentRegistry: string } | null {
  const { chainAgentId, chainRegistry, foreignToken } = agent
  const foreign = foreignToken === null ? null : parseForeignName(foreignToken)
  if (foreign !== null) return { agentId: foreign.agentId, agentRegistry: foreign.agentRegistry }
  if (chainAgentId === null || chainRegistry === null) return null
  return { agentId: chainAgentId, agentRegistry: chainRegistry }
}
