import { createPublicClient, type PublicClient, type Transport } from 'viem'

/**
 * Creates a client of a node: the only way to one, which the linter enforces.
 *
 * It never follows an `OffchainLookup` (EIP-3668). With viem's default, a contract that a stranger names would make this
 * machine fetch any URL, past the checks of outbound requests, and without a limit of time or size.
 */
export function createNodeClient(transport: Transport): PublicClient {
  return createPublicClient({ transport, cacheTime: 0, ccipRead: false })
}
