import type { Knex } from 'knex'
import { batchKeyOf, batchKeysOf } from './batchStore.ts'

type Hex = `0x${string}`

export type AnchorStatus = 'sealed' | 'anchored' | 'confirmed'

/** The part of a sealed batch that its anchor puts on chain. */
export type AnchorRow = {
  batch: number
  prevSize: number
  newSize: number
  root: Hex
  consistencyProof: Hex[]
  status: AnchorStatus
}

export type AnchorStore = ReturnType<typeof createAnchorStore>

/** Stores the progress of the sealed batches of a log towards the chain. */
export function createAnchorStore(query: Knex, log = 0) {
  const highest = async (statuses: AnchorStatus[]): Promise<number> => {
    const row = await query('audit_batches')
      .max({ number: 'number' })
      .whereBetween('number', batchKeysOf(log))
      .whereIn('status', statuses)
      .first()
    return Math.max(0, Number(row?.number ?? 0) - batchKeyOf(log, 0))
  }
  return {
    /** Reads a batch; null before it is sealed. */
    async byNumber(batch: number): Promise<AnchorRow | null> {
      const row = await query('audit_batches')
        .select('prev_size', 'new_size', 'root', 'consistency_proof', 'status')
        .where({ number: batchKeyOf(log, batch) })
        .first()
      if (row === undefined) return null
      return {
        batch,
        prevSize: Number(row.prev_size),
        newSize: Number(row.new_size),
        root: prefixHex(row.root),
        consistencyProof: JSON.parse(row.consistency_proof).map(prefixHex),
        status: row.status,
      }
    },

    /** Reads the number of the last batch; 0 if there is none. */
    lastSealed: () => highest(['sealed', 'anchored', 'confirmed']),

    /** Reads the number of the last final batch; 0 if there is none. */
    lastConfirmed: () => highest(['confirmed']),

    /** Marks a batch as included in a block. */
    async markAnchored(
      trx: Knex.Transaction,
      batch: number,
      place: { hash: string; block: number },
    ): Promise<void> {
      await trx('audit_batches')
        .where({ number: batchKeyOf(log, batch) })
        .update({ status: 'anchored', transaction_hash: place.hash, block_number: place.block })
    },

    /** Marks a batch as final, because its block is deep enough. */
    async markConfirmed(
      trx: Knex.Transaction,
      batch: number,
      place: { hash: string; block: number; confirmedAt: number },
    ): Promise<void> {
      await trx('audit_batches')
        .where({ number: batchKeyOf(log, batch) })
        .update({
          status: 'confirmed',
          transaction_hash: place.hash,
          block_number: place.block,
          confirmed_at: place.confirmedAt,
        })
    },

    /** Marks a batch as no longer included in a block. */
    async markSealed(trx: Knex.Transaction, batch: number): Promise<void> {
      await trx('audit_batches')
        .where({ number: batchKeyOf(log, batch) })
        .update(NOT_ANCHORED)
    },

    /** Marks all batches of all logs as not included in a block, because the chain is new. */
    async markAllSealed(trx: Knex.Transaction): Promise<void> {
      await trx('audit_batches').update(NOT_ANCHORED)
    },
  }
}

const NOT_ANCHORED = { status: 'sealed', transaction_hash: null, block_number: null, confirmed_at: null }

function prefixHex(hex: string): Hex {
  return hex.startsWith('0x') ? (hex as Hex) : `0x${hex}`
}
