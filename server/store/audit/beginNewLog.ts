import type { Knex } from 'knex'

/**
 * Starts a new audit log id for the installation, under which all records are sealed and anchored again.
 *
 * Records, their sequence numbers and their entries stay unchanged. The state of anchoring under the former log id is
 * deleted; its anchors remain on chain for holders of old proofs.
 *
 * @param logId An id that the relayer may open.
 */
export async function beginNewLog(trx: Knex.Transaction, logId: `0x${string}`): Promise<void> {
  const anchors = trx('relayer_intents').select('id').where({ kind: 'audit.anchor' })
  await trx('relayer_transactions').whereIn('intent_id', anchors).delete()
  await trx('relayer_intents').where({ kind: 'audit.anchor' }).delete()
  await trx('audit_batches').delete()
  await trx('installation').where({ id: 1 }).update({ log_id: logId })
}
