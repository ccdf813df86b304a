import type { DeploymentJournal } from '../chain/deploymentJournal.ts'
import type { RelayerLease } from '../services/relayer/lease.ts'
import type { Db } from '../store/database/database.ts'
import { createDeploymentTransactionStore } from '../store/relayer/deploymentTransactionStore.ts'

/** Creates the journal of a deployment in the database, which only the holder of the relayer's lease may write. */
export function createDeploymentJournal({
  query,
  lease,
  log,
}: {
  query: Db['query']
  lease: Pick<RelayerLease, 'renew' | 'whileLeaseHeld'>
  log: DeploymentJournal['log']
}): DeploymentJournal {
  const stored = createDeploymentTransactionStore(query)
  return {
    renew: lease.renew,
    find: stored.find,
    firstBlock: stored.firstBlock,
    insert: (callHash, entry) => lease.whileLeaseHeld((trx) => stored.insert(trx, callHash, entry)),
    replace: (callHash, entry) => lease.whileLeaseHeld((trx) => stored.replace(trx, callHash, entry)),
    remove: (callHash) => lease.whileLeaseHeld((trx) => stored.remove(trx, callHash)),
    log,
  }
}
