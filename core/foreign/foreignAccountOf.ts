import type { ForeignName } from './foreignName.ts'

/**
 * Names an Ethereum account on the chain of an agent's registry: `eip155:<chain id>:<address>`. Source: CAIP-10.
 *
 * @param address In lower case.
 */
export function foreignAccountOf(
  { agentRegistry }: Pick<ForeignName, 'agentRegistry'>,
  address: string,
): string {
  return agentRegistry.slice(0, agentRegistry.lastIndexOf(':') + 1) + address
}
