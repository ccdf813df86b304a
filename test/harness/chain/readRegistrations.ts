import { createPublicClient, http } from 'viem'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import type { Hex } from '../../../server/chain/chainTypes.ts'

/** Reads every identity that a registry has issued, from its events, with the current holder. */
export async function readRegistrations(rpcUrl: string, address: Hex) {
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const { abi } = identityRegistry
  const events = await client.getContractEvents({
    address,
    abi,
    eventName: 'Registered',
    strict: true,
    fromBlock: 0n,
    toBlock: 'latest',
  })
  const found: { agentId: number; agentURI: string; holder: Hex }[] = []
  for (const { args } of events) {
    const { agentId, agentURI } = args
    const holder = await client.readContract({ address, abi, functionName: 'ownerOf', args: [agentId] })
    found.push({ agentId: Number(agentId), agentURI, holder })
  }
  return found
}
