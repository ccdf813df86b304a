import { isWithinBudget } from '../../isWithinBudget.ts'
import { isForOwner } from '../parties/relateOwners.ts'
import type { Probing, WarnOfProbing } from './warnOfProbing.ts'

type Budget = { take(caller: string, now: number): unknown }

export type AdmitDryRunDeps = {
  /** Of an agent at the endpoints of one account, and at those of all accounts; `unnoticed` ones do not warn the owner. */
  dryRuns: { ofAccount: Budget; ofAgent: Budget; unnoticed: Budget }
  warnOfProbing: WarnOfProbing
}

/**
 * Admits a dry run. Those by anyone but the agent's owner are few a day, because each tells a bit of the boundary.
 *
 * @throws ApiError RATE_LIMITED
 */
export async function admitDryRun(
  { dryRuns, warnOfProbing }: AdmitDryRunDeps,
  input: Omit<Probing, 'endpoint'> &
    Parameters<typeof isForOwner>[0] & { resolved: Pick<Probing, 'endpoint'>; counterpartyId: string },
): Promise<void> {
  if (isForOwner(input)) return
  const { agent, resolved, counterpartyId, now } = input
  const { endpoint } = resolved
  const account = `${agent.svcId} ${counterpartyId}`
  if (!(await isWithinBudget(dryRuns.unnoticed, account, now))) warnOfProbing({ agent, endpoint, now })
  await dryRuns.ofAccount.take(account, now)
  await dryRuns.ofAgent.take(agent.svcId, now)
}
