import { type AgentSummary, SDK } from 'agent0-sdk'

/** A chain with an ERC-8004 identity registry. */
export type Registry = {
  chainId: number
  rpcUrl: string
  address: `0x${string}`
  /** Of the account that writes; without one, the registry is only read. */
  privateKey?: `0x${string}`
}

function open({ chainId, rpcUrl, address, privateKey }: Registry): SDK {
  const registryOverrides = { [chainId]: { IDENTITY: address } }
  return new SDK({ chainId, rpcUrl, registryOverrides, ...(privateKey === undefined ? {} : { privateKey }) })
}

/**
 * Registers an agent whose registration file is its token URI, and returns its token. `bindFile` writes the file once more,
 * because it can name its token only when there is one.
 */
export async function registerByAgent0(
  registry: Registry,
  agent: { name: string; description: string },
  services: { ens?: string; mcp?: string } = {},
) {
  const registered = open(registry).createAgent(agent.name, agent.description)
  if (services.ens !== undefined) registered.setENS(services.ens)
  if (services.mcp !== undefined) await registered.setMCP(services.mcp, '2025-06-18', false)
  registered.setActive(true)
  await (await registered.registerOnChain()).waitMined()
  const bindFile = async () => void (await (await registered.registerOnChain()).waitMined())
  const transfer = async (to: `0x${string}`) => void (await (await registered.transfer(to)).waitMined())
  const agentId = Number(registered.agentId?.split(':').at(-1))
  return { agentId, token: `eip155:${registry.chainId}:${registry.address}/${agentId}`, bindFile, transfer }
}

/**
 * Sends a text to an A2A agent, as any program that uses the SDK would, and returns the reply.
 *
 * @param credential For the security scheme of the agent's card; without one, the caller has no name.
 */
export async function sendByAgent0(
  registry: Registry,
  a2a: string,
  text: string,
  credential?: Record<string, string>,
): Promise<unknown> {
  const client = open(registry).createA2AClient({ a2a } as AgentSummary)
  return client.messageA2A(text, credential === undefined ? {} : { credential })
}

/** Reads an agent as any program that uses the SDK would see it. */
export async function readByAgent0(registry: Registry, agentId: number) {
  const sdk = open(registry)
  const { name, description, active, endpoints, x402support } = (
    await sdk.loadAgent(`${registry.chainId}:${agentId}`)
  ).getRegistrationFile()
  const services = endpoints.map(({ type, value }) => ({ name: String(type), endpoint: value }))
  return { name, description, active, x402support, services }
}
