import type { ExistingContracts } from '../../chain/deployContracts.ts'
import type { DeploymentStore, RememberedDeployment } from '../../store/relayer/deploymentStore.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { CONTRACT_SETTINGS } from './contractSettings.ts'
import { type HasFinalBatchDeps, hasFinalBatch } from './hasFinalBatch.ts'

export type RequireKeptContractsDeps = HasFinalBatchDeps & {
  deployments: Pick<DeploymentStore, 'remembered' | 'hasIdentity'>
  outbox: Pick<OutboxStore, 'open'>
  /** Whether no other process ran over the database when this one started. */
  isAlone: () => Promise<boolean>
}

/**
 * Rejects configured contracts that are not those of the database: as the relayer, the process would change them for all. It
 * asks no chain, so it rejects them while the chain is unreachable, too.
 *
 * - Identities are tokens of one registry, and their ids are those of other agents in another. It cannot change once a
 *   transaction was sent that may become an identity.
 * - Batches are anchored on top of one another. The contract of the log may change as long as none is final, as after a
 *   restore that began a new log.
 * - Any other change needs a process that is alone when it starts: then it is meant, and no mistake in the settings of one
 *   of several, and no other one works with the former contracts meanwhile.
 *
 * Nothing is known before the first deployment, so nothing is rejected.
 *
 * @throws Error with a message for the operator. Source: docs/decisions/0161.
 */
export async function requireKeptContracts(
  deps: RequireKeptContractsDeps,
  configured: ExistingContracts,
): Promise<void> {
  const remembered = await deps.deployments.remembered()
  if (remembered === null) return
  for (const [name, key] of CONTRACT_SETTINGS) {
    const [wanted, known] = [configured[key], remembered[key]]
    if (wanted === undefined || known === null || wanted === known) continue
    const why = (await findTie(deps, key, remembered)) ?? (await findOthers(deps, known))
    if (why !== null)
      throw new Error(`Setting ${name}: ${wanted} is not the contract of this database; ${why}`)
  }
}

async function findTie(
  deps: RequireKeptContractsDeps,
  key: (typeof CONTRACT_SETTINGS)[number][1],
  remembered: RememberedDeployment,
): Promise<string | null> {
  if (key === 'identityRegistry' && (await hasIdentity(deps, remembered))) {
    const known = remembered.identityRegistry
    return `its agents are tokens of ${known}: set that address, or leave the setting out; another registry needs a database of its own`
  }
  if (key === 'auditLog' && (await hasFinalBatch(deps))) {
    const known = remembered.auditLog
    return `its batches are anchored in ${known}: set that address, or leave the setting out; only a log that a restore with --new-log began may be in another contract`
  }
  return null
}

/** A mint that was sent may be final before its agent is, and a transfer follows one that is. */
async function hasIdentity(
  { deployments, outbox }: RequireKeptContractsDeps,
  remembered: RememberedDeployment,
): Promise<boolean> {
  if (await deployments.hasIdentity(remembered)) return true
  const sent = ['signed', 'sent', 'mined', 'confirmed'] as const
  const found = await Promise.all([
    outbox.open(sent, 1, { only: ['identity.mint'] }),
    outbox.open(['queued', ...sent], 1, { only: ['identity.transfer'] }),
  ])
  return found.some((intents) => intents.length > 0)
}

async function findOthers({ isAlone }: RequireKeptContractsDeps, known: string): Promise<string | null> {
  if (await isAlone()) return null
  return `other processes work with ${known}, or did until a moment ago: stop all of them before the first one starts with another contract, or set that address`
}
