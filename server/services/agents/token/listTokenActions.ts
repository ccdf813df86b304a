import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { AgentToken } from '../../../store/agents/tokenStore.ts'
import type { ChainTokens } from './chainTokens.ts'

/** A transaction that only the holder of the token can sign. */
export type TokenAction = {
  function: string
  reason: string
  /** Address of the registry. */
  to: string
  /** Call data; null if a signature of another key is needed first. */
  data: string | null
}

type Encoders = Pick<ChainTokens, 'relayer' | 'encodeSetUri' | 'encodeApprove'>

/**
 * Lists the transactions that the holder of an agent's token may want to sign because the service cannot: pointing the
 * token at its file or approving the relayer to do so, and setting the wallet that a transfer cleared.
 *
 * @param uri The URI that the token should have. Source: ERC-8004 "Identity Registry"; docs/decisions/0012.
 */
export function listTokenActions(
  chain: Encoders,
  agent: AgentRow,
  token: AgentToken | null,
  uri: string,
): TokenAction[] {
  if (token?.custody !== 'owner' || agent.chainAgentId === null || agent.chainRegistry === null) return []
  const agentId = BigInt(agent.chainAgentId)
  const to = agent.chainRegistry.split(':')[2] ?? ''
  const actions: TokenAction[] = []
  if (token.uri !== uri) {
    actions.push(
      {
        function: 'setAgentURI(uint256,string)',
        reason: `The token leads to ${token.uri}, and the registration file is at ${uri}.`,
        to,
        data: chain.encodeSetUri(agentId, uri),
      },
      {
        function: 'approve(address,uint256)',
        reason:
          'Instead of changing the URI: lets the relayer change it, now and when the host changes again. While it may, it can publish no feedback about the agent.',
        to,
        data: chain.encodeApprove(chain.relayer, agentId),
      },
    )
  }
  if (token.wallet === null) {
    actions.push({
      function: 'setAgentWallet(uint256,address,uint256,bytes)',
      reason:
        'The token has no agentWallet, because a transfer clears it; the new wallet signs its consent (EIP-712).',
      to,
      data: null,
    })
  }
  return actions
}
