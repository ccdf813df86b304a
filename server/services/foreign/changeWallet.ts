import { foreignAccountOf } from '@svc/core/foreign/foreignAccountOf.ts'
import type { Adoption, AdoptionStore } from '../../store/agents/adoptionStore.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { AlertStore } from '../../store/approvals/alertStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { ReceiptStore } from '../../store/receipts/receiptStore.ts'
import type { createUsedProofStore } from '../../store/recorder/usedProofStore.ts'
import { buildAgentRecord } from '../agents/buildAgentRecord.ts'
import { buildAlert } from '../alerts/createRaiseAlert.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { keyRevocationOf } from '../verification/proofs/keyRevocationOf.ts'
import { compareToken } from './compareToken.ts'

type Trx = Parameters<AdoptionStore['setWallet']>[0]

export type ChangeWalletDeps = {
  db: Pick<Db, 'transaction'>
  adoptions: Pick<AdoptionStore, 'ofAgent' | 'setWallet'>
  agents: Pick<AgentStore, 'bySvcId'>
  receipts: Pick<ReceiptStore, 'withdrawOfAccounts'>
  usedProofs: Pick<ReturnType<typeof createUsedProofStore>, 'addRevocations' | 'removeRevocations'>
  records: Pick<AuditRecordStore, 'append'>
  alerts: Pick<AlertStore, 'raise'>
  onAgentChanged(svcId: string): void
  settings: Pick<RegistrySettings, 'randomBytes'>
}

/** The `agentWallet` of an adopted token at a block, in lower case; null if there was none. */
export type WalletReading = { svcId: string; wallet: Adoption['wallet']; block: number; now: number }

/**
 * Stores the `agentWallet` of the token of an adopted agent. The grants of the requests that a former one signed are
 * withdrawn, it is refused by the next request in every process, and the owner is told.
 *
 * A reading that is no later than the stored one changes nothing. The first reading of an adoption that a former release
 * stored has no former wallet to compare with, so it withdraws the grants of which nobody knows which account signed.
 *
 * @returns The wallet that counts: the latest that any process has read. Null without one, or if the adoption has ended.
 */
export async function changeWallet(
  deps: ChangeWalletDeps,
  reading: WalletReading,
): Promise<Adoption['wallet']> {
  const wallet = await deps.db.transaction((trx) => storeWallet(deps, trx, reading))
  deps.onAgentChanged(reading.svcId)
  return wallet
}

async function storeWallet(
  deps: ChangeWalletDeps,
  trx: Trx,
  { svcId, wallet, block, now }: WalletReading,
): Promise<Adoption['wallet']> {
  const adoption = await deps.adoptions.ofAgent(svcId, trx)
  const agent = await deps.agents.bySvcId(svcId, trx)
  if (adoption === null || agent === null) return null
  if (compareToken(adoption, { owner: adoption.owner, wallet, block }) === 'none') return adoption.wallet
  await deps.adoptions.setWallet(trx, { agentId: svcId, wallet, walletBlock: block })
  const change = { agent, adoption, wallet, block, now }
  await withdrawOfFormer(deps, trx, change)
  if (adoption.walletBlock !== null) await tellOwner(deps, trx, change)
  return wallet
}

type WalletChange = Omit<WalletReading, 'svcId'> & { agent: AgentRow; adoption: Adoption }

async function withdrawOfFormer(
  { receipts, usedProofs }: ChangeWalletDeps,
  trx: Trx,
  { agent, adoption, wallet, now }: WalletChange,
): Promise<void> {
  const { svcId: agentId } = agent
  const { wallet: former, walletBlock, owner } = adoption
  const accountOf = (address: string) => foreignAccountOf(adoption, address)
  const revocationOf = (address: string) => keyRevocationOf({ agentId, kid: accountOf(address) })
  if (wallet !== null) await usedProofs.removeRevocations(trx, [revocationOf(wallet)])
  if (walletBlock === null) return receipts.withdrawOfAccounts(trx, { agentId, accounts: [null], at: now })
  // The owner of the token signs for the agent in any case.
  if (former === null || former === owner) return
  await usedProofs.addRevocations(trx, [revocationOf(former)], now)
  await receipts.withdrawOfAccounts(trx, { agentId, accounts: [accountOf(former), null], at: now })
}

async function tellOwner(deps: ChangeWalletDeps, trx: Trx, change: WalletChange): Promise<void> {
  const { agent, adoption, wallet, block, now } = change
  const { randomBytes } = deps.settings
  await deps.records.append(trx, buildChangedRecord(deps, change))
  if (wallet === null || wallet === adoption.owner) return
  const alert = {
    ownerId: agent.ownerId,
    code: 'agent.wallet_set',
    severity: 'critical' as const,
    subject: [agent.svcId, wallet, block].join(' '),
    data: { agentId: agent.svcId, agentName: agent.name, holder: adoption.owner, wallet, signs: 'true' },
  }
  await deps.alerts.raise(buildAlert(alert, { now, randomBytes }), trx)
}

function buildChangedRecord(
  { settings }: ChangeWalletDeps,
  { agent, adoption, wallet, block, now }: WalletChange,
) {
  const facts = { token: agent.foreignToken, formerWallet: adoption.wallet, wallet, block }
  return buildAgentRecord(
    agent,
    {
      eventType: 'agent.wallet_changed',
      eventData: facts,
      inputs: facts,
    },
    { now, randomBytes: settings.randomBytes },
  )
}
