import { commerceProtocols } from '../commerce/commerceProtocols.ts'
import { isJsonObject } from '../json.ts'
import { interfacesOf } from './interfacesOf.ts'
import { securitySchemesOf } from './securitySchemesOf.ts'

type Block = Readonly<Record<string, unknown>>

/** The public view of a boundary on an agent card: its dimensions and a commitment to it. */
type PublicBoundary = { readonly declared: readonly string[]; readonly hash: string }

/** The facts that an agent card is built from. */
export type AgentCardFacts = {
  readonly svcId: string
  readonly name: string
  readonly description: string | null
  readonly image: string | null
  /** The declared blocks, by name; a protocol without a block has an empty one. */
  readonly protocols: Readonly<Record<string, Block>>
  readonly runtimeChallengeSupported: boolean
  /** URL at which a counterparty has the agent's requests verified. */
  readonly verificationEndpoint: string
  /** URL of the keys that the agent signs its requests with. */
  readonly jwksUrl: string
  readonly onChainIdentity: { readonly agentId: number; readonly agentRegistry: string } | null
  readonly pdlss: PublicBoundary
  /** Only for the owner: the boundary and the salt of its hash. */
  readonly owned?: { readonly boundary: Block; readonly salt: string }
}

/** Names the extension whose `params` are the card's public view of the boundary. */
export const PDLSS_EXTENSION_URI = 'urn:svc:a2a-extension:pdlss:v1'

/** Members that are confidential in any declaration; those of one protocol can be written in the block of another. */
const CONFIDENTIAL_MEMBERS: ReadonlySet<string> = new Set(
  Object.values(commerceProtocols).flatMap(({ confidential }) => confidential),
)

const TEXT = ['text/plain']
const OPTIONAL_SKILL_LISTS = ['examples', 'inputModes', 'outputModes']

/**
 * Builds the agent card: an A2A 1.0 AgentCard with additional members of this registry.
 *
 * A2A members have exactly the form that A2A defines, so that A2A libraries and this service sign and verify the same text:
 * required members are always present, and others are absent rather than empty.
 * The original declaration is under `protocols`. An agent without an A2A block has empty lists of interfaces and skills.
 * Only the owner gets the boundary itself, because neither the agent nor a verifier may read the agent's permissions.
 *
 * Source: A2A 1.0 §4.4; Spec: Agent card and on-chain registration file.
 */
export function buildAgentCard(facts: AgentCardFacts) {
  const a2a = facts.protocols.a2a ?? {}
  const version = textOf(a2a.version)
  const securitySchemes = securitySchemesOf(a2a.securitySchemes)
  const provider = providerOf(a2a.provider)
  return {
    name: facts.name,
    description: facts.description ?? '',
    version: version ?? '1.0.0',
    ...(facts.image === null ? {} : { iconUrl: facts.image }),
    supportedInterfaces: interfacesOf(a2a),
    ...(provider === null ? {} : { provider }),
    capabilities: {
      extensions: [
        {
          uri: PDLSS_EXTENSION_URI,
          description: 'The agent acts within a boundary declared at registration.',
          params: facts.pdlss,
        },
      ],
    },
    ...(Object.keys(securitySchemes).length > 0 ? { securitySchemes } : {}),
    defaultInputModes: TEXT,
    defaultOutputModes: TEXT,
    skills: skillsOf(a2a),
    svcId: facts.svcId,
    verificationEndpoint: facts.verificationEndpoint,
    jwksUrl: facts.jwksUrl,
    runtimeChallengeSupported: facts.runtimeChallengeSupported,
    protocols: facts.owned ? facts.protocols : omitBoundaries(facts.protocols),
    pdlss: { ...facts.pdlss, ...facts.owned },
    onChainIdentity: facts.onChainIdentity,
  }
}

function omitBoundaries(protocols: AgentCardFacts['protocols']): AgentCardFacts['protocols'] {
  const shown = (block: Block) =>
    Object.entries(block).filter(([member]) => !CONFIDENTIAL_MEMBERS.has(member))
  return Object.fromEntries(
    Object.entries(protocols).map(([protocol, block]) => [protocol, Object.fromEntries(shown(block))]),
  )
}

/** A2A requires both members. */
function providerOf(declared: unknown): Block | null {
  if (!isJsonObject(declared)) return null
  const { organization, url } = declared
  return textOf(organization) && textOf(url) ? { organization, url } : null
}

/** A2A requires `description` and `tags`, which a declaration may leave out. */
function skillsOf(a2a: Block): Block[] {
  const skills = Array.isArray(a2a.skills) ? a2a.skills.filter(isJsonObject) : []
  return skills.map((skill) => ({
    id: textOf(skill.id) ?? '',
    name: textOf(skill.name) ?? '',
    description: textOf(skill.description) ?? '',
    tags: textsOf(skill.tags),
    ...Object.fromEntries(
      OPTIONAL_SKILL_LISTS.filter((member) => textsOf(skill[member]).length > 0).map((member) => [
        member,
        textsOf(skill[member]),
      ]),
    ),
  }))
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
