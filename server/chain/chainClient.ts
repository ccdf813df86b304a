import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createAuditLogContract } from './auditLogContract.ts'
import { createCallNode } from './callNode.ts'
import { createChainNode } from './chainNode.ts'
import { createIdentityContract } from './identityContract.ts'
import { createIdentityTokens } from './identityTokens.ts'
import { LOCAL_CHAIN_KEY } from './localNetwork.ts'
import { createRegistryLink, createReputationContract } from './reputationContract.ts'

type ChainClientOptions = {
  /** URL of the node; read on every call. */
  url(): string
  account: LocalAccount
  /** Former accounts of the relayer, whose transactions and tokens it still finishes. */
  formerAccounts?: readonly LocalAccount[]
  /** From 0 to 1, exclusive; adds jitter to the retries. */
  random(): number
  timeoutMs?: number
  attempts?: number
}

export type ChainClient = ReturnType<typeof createChainClient>

/**
 * Creates the only access to the chain: JSON-RPC with a timeout and bounded, jittered retries per call, plain values
 * in and out, and the paying account.
 *
 * Its methods throw only `CHAIN_UNAVAILABLE`; a contract's refusal is a result, not an error.
 */
export function createChainClient({
  url,
  account,
  formerAccounts = [],
  random,
  timeoutMs = 5_000,
  attempts = 3,
}: ChainClientOptions) {
  const call = createCallNode({ attempts, pauseMs: 150, random })
  const { transport, ...node } = createChainNode({
    url,
    timeoutMs,
    accounts: [account, ...formerAccounts],
    call,
  })
  return {
    ...node,
    ...createRegistryLink(transport),
    identity: { ...createIdentityContract(transport), ...createIdentityTokens(transport) },
    auditLog: createAuditLogContract(transport),
    reputation: createReputationContract(transport),
  }
}

/** Returns the paying account: that of the configured key, or the first account of the local chain. */
export function relayerAccountOf(privateKey: `0x${string}` = LOCAL_CHAIN_KEY): LocalAccount {
  return privateKeyToAccount(privateKey)
}
