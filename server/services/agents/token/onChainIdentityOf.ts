import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { AgentToken } from '../../../store/agents/tokenStore.ts'
import { registrationOf } from '../registrationFile/registrationFileOf.ts'

/**
 * Where an agent is on chain, who holds its token, and where the token leads; null before it is there.
 *
 * What the chain says of the token is as last read at a final block, null until it was read. Source: onchain.md
 * "Relayer", `blockchainStatus`.
 *
 * @param tokenUri Where the token should lead.
 */
export function onChainIdentityOf(agent: AgentRow, token: AgentToken | null, tokenUri: string) {
  const registration = registrationOf(agent)
  return (
    registration && {
      ...registration,
      transactionHash: agent.chainTransaction,
      blockNumber: agent.chainBlock,
      custody: token?.custody ?? null,
      owner: token?.holder ?? null,
      agentWallet: token?.wallet ?? null,
      tokenUri: token?.uri ?? null,
      isTokenUriCurrent: token && token.uri === tokenUri,
    }
  )
}
