/** What a registration file says about an agent. */
export type RegistrationFileFacts = {
  readonly svcId: string
  readonly name: string
  readonly description: string | null
  /** URL of a picture; null leaves the member out. */
  readonly image: string | null
  /** `web`, `A2A`, `MCP` and where each is reached. */
  readonly services: readonly {
    readonly name: string
    readonly endpoint: string
    readonly version?: string | null
  }[]
  readonly x402Support: boolean
  readonly active: boolean
  /** Where the agent is minted; empty before that. `agentRegistry` is `eip155:<chain id>:<address>`. */
  readonly registrations: readonly { readonly agentId: number; readonly agentRegistry: string }[]
}

const TYPE = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1'

/**
 * Ways of trust the agent supports: the declared boundary, and, once there is a token that they can name, feedback of its
 * clients. Nothing is minted before there is a reputation registry over the identity registry.
 */
const SUPPORTED_TRUST = { minted: ['reputation', 'svc-pdlss'], unminted: ['svc-pdlss'] } as const

/**
 * The bytes, as text, of the document that an agent's token URI leads to.
 *
 * The same facts give the same bytes, whatever the order of their members: the chain holds the SHA-256 of this
 * text, so that a served file can be checked. Members stand in the order of the specification, indented by two
 * spaces, with a line feed at the end. Strings are written as they are, without Unicode normalisation.
 *
 * Source: EIP-8004 "Agent Registration File"; Spec: Agent card and on-chain registration file; onchain.md.
 */
export function writeRegistrationFile(facts: RegistrationFileFacts): string {
  const document = {
    type: TYPE,
    name: facts.name,
    description: facts.description ?? '',
    image: facts.image ?? undefined,
    services: facts.services.map(({ name, endpoint, version }) => ({
      name,
      endpoint,
      version: version ?? undefined,
    })),
    x402Support: facts.x402Support,
    active: facts.active,
    registrations: facts.registrations.map(({ agentId, agentRegistry }) => ({ agentId, agentRegistry })),
    supportedTrust: SUPPORTED_TRUST[facts.registrations.length > 0 ? 'minted' : 'unminted'],
    svcId: facts.svcId,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
