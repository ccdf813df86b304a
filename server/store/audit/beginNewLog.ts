import type { Knex } from 'knex'

/**
 * Gives the installation another audit log, under which all its records wait to be sealed and anchored anew.
 *
 * Records, their places and their entries stay as they are; what goes is what was put on chain under the former log,
 * which stays there for whoever holds proofs of it.
 *
 * @param logId 32 random bytes in hexadecimal.
 */
export async function beginNewLog(trx: Knex.Transaction, logId: `0x${string}`): Promise<void> {
  const anchors = trx('relayer_intents').select('id').where({ kind: 'audit.anchor' })
  await trx('relayer_transactions').whereIn('intent_id', anchors).delete()
  await trx('relayer_intents').where({ kind: 'audit.anchor' }).delete()
  await trx('audit_batches').delete()
  await trx('installation').where({ id: 1 }).update({ log_id: logId })
}
