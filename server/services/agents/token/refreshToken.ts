import { isSameHex } from '@svc/core/isSameHex.ts'
import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import type { AgentToken, TokenStore } from '../../../store/agents/tokenStore.ts'
import type { AuditRecordStore } from '../../../store/audit/auditRecordStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { ReceiptStore } from '../../../store/receipts/receiptStore.ts'
import { createKeyedQueue } from '../../createKeyedQueue.ts'
import type { RegistrySettings } from '../../registrySettings.ts'
import { buildAgentRecord } from '../buildAgentRecord.ts'
import { listSigningAccounts } from '../keys/listSigningAccounts.ts'
import { registrationOf } from '../registrationFile/registrationFileOf.ts'
import type { ChainTokens } from './chainTokens.ts'
import { type WarnOfTokenDeps, warnOfToken } from './warnOfToken.ts'

export type RefreshTokenDeps = WarnOfTokenDeps & {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'bySvcId'>
  tokens: Pick<TokenStore, 'bySvcId' | 'put' | 'remove'>
  records: Pick<AuditRecordStore, 'append'>
  receipts: Pick<ReceiptStore, 'withdrawOfAccounts'>
  chainTokens: Pick<ChainTokens, 'relayers' | 'read'>
  settings: Pick<RegistrySettings, 'clock' | 'randomBytes'>
}

/**
 * Creates the function that reads an agent's token on chain and stores the result; nothing else writes that copy.
 *
 * A transfer to another holder is recorded once, and the owner is warned of one to somebody else and of each new
 * `agentWallet`; a token that a reorganisation removed is forgotten. A former `agentWallet` that no longer signs for the
 * agent loses the grants of the requests that it signed. Safe to repeat; calls for one agent run in order, so that the later
 * read wins, whatever its block.
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
    await deps.db.transaction(async (trx) => {
      const before = await deps.tokens.bySvcId(svcId, trx)
      await deps.tokens.remove(trx, svcId)
      await withdrawOfWallet(deps, trx, agent, before?.wallet)
    })
    return
  }
  const name = registrationOf(agent)
  const seen = name && (await deps.chainTokens.read(name))
  if (!seen) return
  const { owner: holder, wallet, uri, block: seenBlock } = seen
  const isKept = deps.chainTokens.relayers.some((account) => isSameHex(account, holder))
  const custody = isKept ? 'registry' : 'owner'
  await deps.db.transaction(async (trx) => {
    const before = await deps.tokens.bySvcId(svcId, trx)
    const token: AgentToken = { svcId, custody, holder, wallet, uri, seenBlock }
    await deps.tokens.put(trx, token)
    await withdrawOfWallet(deps, trx, agent, before?.wallet)
    await warnOfToken(deps, trx, agent, { before, token })
    if (!before || before.holder === holder) return
    await deps.records.append(trx, buildTransferredRecord(deps, agent, { from: before.holder, to: holder }))
  })
}

/** Called after the copy of the token is stored; the wallet may sign for the agent for other reasons. */
async function withdrawOfWallet(
  deps: RefreshTokenDeps,
  trx: Parameters<TokenStore['put']>[0],
  agent: AgentRow | null,
  wallet: string | null | undefined,
): Promise<void> {
  const account = wallet?.toLowerCase()
  if (agent === null || account === undefined) return
  const { accounts } = await listSigningAccounts(deps, agent, trx)
  if (accounts.includes(account)) return
  await deps.receipts.withdrawOfAccounts(trx, {
    ...{ agentId: agent.svcId, accounts: [account], at: deps.settings.clock() },
  })
}

function buildTransferredRecord(
  { settings }: RefreshTokenDeps,
  agent: AgentRow,
  { from, to }: { from: string; to: string },
) {
  return buildAgentRecord(
    agent,
    {
      eventType: 'agent.token_transferred',
      eventData: { previousHolder: from, holder: to },
      inputs: { agentId: agent.chainAgentId, agentRegistry: agent.chainRegistry, from, to },
    },
    { now: settings.clock(), randomBytes: settings.randomBytes },
  )
}
