import type { Knex } from 'knex'

type Hex = `0x${string}`

/** Numbers of batches of each log: the batches of log 0 are stored under their numbers, those of log 1 above them. */
const NUMBERS_OF_LOG = 2 ** 40

/** The key under which a batch of a log is stored; the batches of log 0 have their numbers. */
export function batchKeyOf(log: number, number: number): number {
  return log * NUMBERS_OF_LOG + number
}

/** The keys of all batches of a log: from the first to before the last. */
export function batchKeysOf(log: number): [number, number] {
  return [batchKeyOf(log, 0), batchKeyOf(log + 1, 0) - 1]
}

/** The fields of a batch that sealing sets. */
export type SealedBatch = {
  /** Starts at 1, without gaps. */
  number: number
  prevSize: number
  newSize: number
  root: Hex
  consistencyProof: readonly Hex[]
  /** Epoch milliseconds. */
  sealedAt: number
}

/** A batch and its progress towards the chain, which `anchorStore` advances. */
export type Batch = SealedBatch & {
  status: 'sealed' | 'anchored' | 'confirmed'
  transactionHash: Hex | null
  blockNumber: number | null
  confirmedAt: number | null
}

/** A batch that is final on chain. */
export type ConfirmedBatch = Batch & { status: 'confirmed'; transactionHash: Hex; blockNumber: number }

/** The fields of a batch that a proof contains. */
export type AnchoredBatch = Pick<
  ConfirmedBatch,
  'number' | 'newSize' | 'root' | 'transactionHash' | 'blockNumber'
>

const COLUMNS = {
  number: 'number',
  prevSize: 'prev_size',
  newSize: 'new_size',
  root: 'root',
  consistencyProof: 'consistency_proof',
  status: 'status',
  transactionHash: 'transaction_hash',
  blockNumber: 'block_number',
  sealedAt: 'sealed_at',
  confirmedAt: 'confirmed_at',
} as const

export type BatchStore = ReturnType<typeof createBatchStore>

/** Stores the sealed batches of an audit log. */
export function createBatchStore(query: Knex, log = 0) {
  const keys = batchKeysOf(log)
  const newestFirst = () =>
    query('audit_batches').select(COLUMNS).whereBetween('number', keys).orderBy('number', 'desc')
  return {
    /** Stores the next batch; false, storing nothing, if another process has sealed a batch with this number. */
    async add(trx: Knex.Transaction, batch: SealedBatch): Promise<boolean> {
      const stored = await trx('audit_batches')
        .insert({
          number: batchKeyOf(log, batch.number),
          prev_size: batch.prevSize,
          new_size: batch.newSize,
          root: batch.root,
          consistency_proof: JSON.stringify(batch.consistencyProof),
          status: 'sealed',
          sealed_at: batch.sealedAt,
        })
        .onConflict('number')
        .ignore()
        .returning('number')
      return stored.length > 0
    },

    /** Reads the newest batch; null before the first. */
    async last(): Promise<Batch | null> {
      const row = await newestFirst().first()
      return row === undefined ? null : batchOf(row)
    },

    /** Reads the newest batch that is final on chain; null if there is none. */
    async lastConfirmed(): Promise<ConfirmedBatch | null> {
      const row = await newestFirst().where({ status: 'confirmed' }).first()
      return row === undefined ? null : (batchOf(row) as ConfirmedBatch)
    },

    /** Reads a batch by its number. */
    async byNumber(number: number): Promise<Batch | null> {
      if (number >= NUMBERS_OF_LOG) return null
      const row = await query('audit_batches')
        .select(COLUMNS)
        .where({ number: batchKeyOf(log, number) })
        .first()
      return row === undefined ? null : batchOf(row)
    },

    /** Reads at most `limit` batches before `before`, newest first. */
    async page(limit: number, before: number | null): Promise<Batch[]> {
      const rows = await newestFirst()
        .where('number', '<', before === null ? Number.MAX_SAFE_INTEGER : batchKeyOf(log, before))
        .limit(limit)
      return rows.map(batchOf)
    },
  }
}

type Row = Record<keyof typeof COLUMNS, unknown>

function batchOf(row: Row): Batch {
  return {
    number: Number(row.number) % NUMBERS_OF_LOG,
    prevSize: Number(row.prevSize),
    newSize: Number(row.newSize),
    root: row.root as Hex,
    consistencyProof: JSON.parse(String(row.consistencyProof)),
    status: row.status as Batch['status'],
    transactionHash: row.transactionHash as Hex | null,
    blockNumber: numberOf(row.blockNumber),
    sealedAt: Number(row.sealedAt),
    confirmedAt: numberOf(row.confirmedAt),
  }
}

function numberOf(value: unknown): number | null {
  return value === null ? null : Number(value)
}
