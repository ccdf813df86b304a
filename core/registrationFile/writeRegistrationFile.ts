/** What a registration file says about an agent. */
export type RegistrationFileFacts = {
  readonly svcId: string
  readonly name: string
  readonly description: string | null
  /** URL of a picture; null omits the member. */
  readonly image: string | null
  /** `web`, `A2A` and `MCP` with their URLs. */
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
 * The trust models that an agent supports: its declared boundary and, once it is minted, client feedback, which refers to
 * the token. Minting starts only when the identity registry has a reputation registry.
 */
const SUPPORTED_TRUST = { minted: ['reputation', 'svc-pdlss'], unminted: ['svc-pdlss'] } as const

/**
 * Writes the document that an agent's token URI points to.
 *
 * The same facts always give the same bytes, whatever the order of their members, because the chain has the SHA-256 of this
 * text to check a served file against. Members are in the order of the specification, indented by two spaces, with a final
 * line feed. Strings are not normalised.
 *
 * Source: EIP-8004 "Agent Registration File"; Spec: Agent card and on-chain registration file.
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
