import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { AgentToken } from '../../../store/agents/tokenStore.ts'
import { registrationOf } from '../registrationFile/registrationFileOf.ts'

/**
 * The on-chain identity of an agent: its token, the holder and the URI; null before it is minted.
 *
 * The members about the token are as last read at a final block, and null until then.
 *
 * @param tokenUri The URI that the token should have.
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
