import type { LocalAccount } from 'viem'
import { createAuditLogContract } from './auditLogContract.ts'
import { createCallNode } from './callNode.ts'
import { createChainNode } from './chainNode.ts'
import { createIdentityContract } from './identityContract.ts'
import { createIdentityTokens } from './identityTokens.ts'
import { createRegistryLink } from './registryLink.ts'
import { createReputationContract } from './reputationContract.ts'

type ChainClientOptions = {
  /** Address of the node; asked at each call. */
  url(): string
  account: LocalAccount
  /** From 0 up to 1; spreads the retries. */
  random(): number
  timeoutMs?: number
  attempts?: number
}

export type ChainClient = ReturnType<typeof createChainClient>

/**
 * The only way to the chain: JSON-RPC with a time-out and bounded, spread retries for each call, plain values in and
 * out, and the account that pays.
 *
 * Its methods throw `CHAIN_UNAVAILABLE` and nothing else; what a contract refuses is an answer, not an error.
 * Source: onchain.md "Relayer".
 */
export function createChainClient({
  url,
  account,
  random,
  timeoutMs = 5_000,
  attempts = 3,
}: ChainClientOptions) {
  const call = createCallNode({ attempts, pauseMs: 150, random })
  const { transport, ...node } = createChainNode({ url, timeoutMs, account, call })
  return {
    ...node,
    ...createRegistryLink(transport),
    identity: { ...createIdentityContract(transport), ...createIdentityTokens(transport) },
    auditLog: createAuditLogContract(transport),
    reputation: createReputationContract(transport),
  }
}
