import type { AgentRow, AgentStore } from '../../store/agentStore.ts'
import type { AuditRecordStore } from '../../store/auditRecordStore.ts'
import type { Db } from '../../store/database.ts'
import type { TokenStore } from '../../store/tokenStore.ts'
import { newAuditRecord } from '../audit/newAuditRecord.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { isSameAddress } from '../relayer/isSameAddress.ts'
import type { ChainTokens } from './chainTokens.ts'
import { registrationOf } from './registrationOf.ts'

export type RefreshTokenDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'bySvcId'>
  tokens: Pick<TokenStore, 'bySvcId' | 'put'>
  records: Pick<AuditRecordStore, 'append'>
  chainTokens: Pick<ChainTokens, 'relayer' | 'read'>
  settings: Pick<RegistrySettings, 'clock' | 'randomBytes'>
}

/**
 * Reads an agent's token on chain and keeps what it says; the only writer of that copy, whoever changed the token.
 *
 * A token that has gone to another holder is recorded, once. Safe to repeat; of two looks at once the later block stays.
 *
 * @throws ApiError CHAIN_UNAVAILABLE.
 */
export async function refreshToken(deps: RefreshTokenDeps, svcId: string): Promise<void> {
  const agent = await deps.agents.bySvcId(svcId)
  const name = agent?.blockchainStatus === 'verified' ? registrationOf(agent) : null
  const seen = name && (await deps.chainTokens.read(name))
  if (!agent || !seen) return
  const { owner: holder, wallet, uri, block: seenBlock } = seen
  const custody = isSameAddress(holder, deps.chainTokens.relayer) ? 'registry' : 'owner'
  await deps.db.transaction(async (trx) => {
    const before = await deps.tokens.bySvcId(svcId, trx)
    if (before && before.seenBlock > seenBlock) return
    await deps.tokens.put(trx, { svcId, custody, holder, wallet, uri, seenBlock })
    if (!before || before.holder === holder) return
    await deps.records.append(trx, transferredRecord(deps, agent, { from: before.holder, to: holder }))
  })
}

function transferredRecord(
  { settings }: RefreshTokenDeps,
  agent: AgentRow,
  { from, to }: { from: string; to: string },
) {
  return newAuditRecord(
    {
      eventType: 'agent.token_transferred',
      ownerId: agent.ownerId,
      counterpartyOwnerId: null,
      agentId: agent.svcId,
      endpointId: null,
      policyHashes: { agent: agent.pdlssHash, endpoint: null },
      eventData: { agentName: agent.name, previousHolder: from, holder: to },
      inputs: { agentId: agent.chainAgentId, agentRegistry: agent.chainRegistry, from, to },
    },
    settings.clock(),
    settings.randomBytes,
  )
}
