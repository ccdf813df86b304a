import type { AgentRow } from '../../store/agentStore.ts'
import { registrationOf } from './registrationOf.ts'

/** Where an agent is on chain; null before it is. Source: onchain.md "Relayer", `blockchainStatus`. */
export function onChainIdentityOf(agent: AgentRow) {
  const registration = registrationOf(agent)
  return (
    registration && {
      ...registration,
      transactionHash: agent.chainTransaction,
      blockNumber: agent.chainBlock,
    }
  )
}
