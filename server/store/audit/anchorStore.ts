import type { Knex } from 'knex'

type Hex = `0x${string}`

export type AnchorStatus = 'sealed' | 'anchored' | 'confirmed'

/** What an anchor puts on chain of a sealed batch. */
export type AnchorRow = {
  batch: number
  prevSize: number
  newSize: number
  root: Hex
  consistencyProof: Hex[]
  status: AnchorStatus
}

export type AnchorStore = ReturnType<typeof createAnchorStore>

/** How far sealed batches are on their way to the chain. Source: architecture.md "Life of an audit record". */
export function createAnchorStore(query: Knex) {
  const highest = async (statuses: AnchorStatus[]): Promise<number> => {
    const row = await query('audit_batches').max({ number: 'number' }).whereIn('status', statuses).first()
    return Number(row?.number ?? 0)
  }
  return {
    /** One batch; null before it is sealed. */
    async byNumber(batch: number): Promise<AnchorRow | null> {
      const row = await query('audit_batches')
        .select('prev_size', 'new_size', 'root', 'consistency_proof', 'status')
        .where({ number: batch })
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

    /** Number of the last batch; 0 for none. */
    lastSealed: () => highest(['sealed', 'anchored', 'confirmed']),

    /** Number of the last batch that counts as final; 0 for none. */
    lastConfirmed: () => highest(['confirmed']),

    /** A block holds it. */
    async markAnchored(
      trx: Knex.Transaction,
      batch: number,
      place: { hash: string; block: number },
    ): Promise<void> {
      await trx('audit_batches')
        .where({ number: batch })
        .update({ status: 'anchored', transaction_hash: place.hash, block_number: place.block })
    },

    /** The block is deep enough. */
    async markConfirmed(
      trx: Knex.Transaction,
      batch: number,
      place: { hash: string; block: number; confirmedAt: number },
    ): Promise<void> {
      await trx('audit_batches').where({ number: batch }).update({
        status: 'confirmed',
        transaction_hash: place.hash,
        block_number: place.block,
        confirmed_at: place.confirmedAt,
      })
    },

    /** No block holds it any more. */
    async markSealed(trx: Knex.Transaction, batch: number): Promise<void> {
      await trx('audit_batches').where({ number: batch }).update(NOT_ANCHORED)
    },

    /** No block holds any of them: the chain is new. */
    async markAllSealed(trx: Knex.Transaction): Promise<void> {
      await trx('audit_batches').update(NOT_ANCHORED)
    },
  }
}

const NOT_ANCHORED = { status: 'sealed', transaction_hash: null, block_number: null, confirmed_at: null }

function prefixHex(hex: string): Hex {
  return hex.startsWith('0x') ? (hex as Hex) : `0x${hex}`
}
