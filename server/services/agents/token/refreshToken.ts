import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import type { TokenStore } from '../../../store/agents/tokenStore.ts'
import type { AuditRecordStore } from '../../../store/audit/auditRecordStore.ts'
import type { Db } from '../../../store/database/database.ts'
import { createAuditRecord } from '../../audit/createAuditRecord.ts'
import { createKeyedQueue } from '../../createKeyedQueue.ts'
import type { RegistrySettings } from '../../registrySettings.ts'
import { isSameAddress } from '../../relayer/notifications.ts'
import { registrationOf } from '../registrationFile/registrationFileOf.ts'
import type { ChainTokens } from './chainTokens.ts'

export type RefreshTokenDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'bySvcId'>
  tokens: Pick<TokenStore, 'bySvcId' | 'put' | 'remove'>
  records: Pick<AuditRecordStore, 'append'>
  chainTokens: Pick<ChainTokens, 'relayers' | 'read'>
  settings: Pick<RegistrySettings, 'clock' | 'randomBytes'>
}

/**
 * Creates the function that reads an agent's token on chain and stores the result; nothing else writes that copy.
 *
 * A transfer to another holder is recorded once; a token that a reorganisation removed is forgotten. Safe to repeat; calls
 * for one agent run in order, so that the later read wins, whatever its block.
 *
 * @throws ApiError CHAIN_UNAVAILABLE.
 */
export function createRefreshToken(deps: RefreshTokenDeps): (svcId: string) => Promise<void> {
  const serialize = createKeyedQueue()
  return (svcId) => serialize(svcId, () => refresh(deps, svcId))
}

async function refresh(deps: RefreshTokenDeps, svcId: string): Promise<void> {
  const agent = await deps.agents.bySvcId(svcId)
  if (agent?.blockchainStatus !== 'verified') {
    await deps.db.transaction((trx) => deps.tokens.remove(trx, svcId))
    return
  }
  const name = registrationOf(agent)
  const seen = name && (await deps.chainTokens.read(name))
  if (!seen) return
  const { owner: holder, wallet, uri, block: seenBlock } = seen
  const isKept = deps.chainTokens.relayers.some((account) => isSameAddress(account, holder))
  const custody = isKept ? 'registry' : 'owner'
  await deps.db.transaction(async (trx) => {
    const before = await deps.tokens.bySvcId(svcId, trx)
    await deps.tokens.put(trx, { svcId, custody, holder, wallet, uri, seenBlock })
    if (!before || before.holder === holder) return
    await deps.records.append(trx, buildTransferredRecord(deps, agent, { from: before.holder, to: holder }))
  })
}

function buildTransferredRecord(
  { settings }: RefreshTokenDeps,
  agent: AgentRow,
  { from, to }: { from: string; to: string },
) {
  return createAuditRecord(
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
