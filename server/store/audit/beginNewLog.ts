import type { Knex } from 'knex'

type Hex = `0x${string}`

/**
 * Starts new audit log ids for the installation, under which all records are sealed and anchored again.
 *
 * Records, their places and their entries stay unchanged. The state of anchoring under the former ids is deleted; their
 * anchors remain on chain for holders of old proofs.
 *
 * @param drawLogId Draws an id that the relayer may open.
 * @returns The ids that the relayer has to open: those of the logs besides the first, which the next start opens.
 */
export async function beginNewLog(trx: Knex.Transaction, drawLogId: () => Hex): Promise<Hex[]> {
  const kinds = ['audit.open', 'audit.anchor']
  const former = trx('relayer_intents').select('id').whereIn('kind', kinds)
  await trx('relayer_transactions').whereIn('intent_id', former).delete()
  await trx('relayer_intents').whereIn('kind', kinds).delete()
  await trx('audit_batches').delete()
  await trx('installation').where({ id: 1 }).update({ log_id: drawLogId() })
  // Backups of earlier versions have no such table.
  if (!(await trx.schema.hasTable('audit_logs'))) return []
  const others: { number: number }[] = await trx('audit_logs').select('number').orderBy('number')
  const opened = others.map(({ number }) => ({ number, logId: drawLogId() }))
  for (const { number, logId } of opened) await trx('audit_logs').where({ number }).update({ log_id: logId })
  return opened.map(({ logId }) => logId)
}
