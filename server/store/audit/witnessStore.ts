import type { Knex } from 'knex'

/** A witness and the log that it watches. */
export type WitnessedLog = {
  /** Name and key id, as in `witness.example/w1+0a1b2c3d`. */
  witness: string
  origin: string
}

/** What is known of a witness; times in epoch milliseconds. */
export type WitnessHead = {
  witness: string
  /** The size that it cosigned last; 0 before the first. */
  size: number
  /** The text of the checkpoint that it cosigned last. */
  cosignedText: string | null
  /** When it did so, by the clock of this service. */
  cosignedAt: number | null
  /** Attempts since the last success. */
  attempts: number
  /** When the first of several failed attempts was made; null after a success. */
  failingSince: number | null
  fault: string | null
}

export type WitnessStore = ReturnType<typeof createWitnessStore>

const COLUMNS = {
  witness: 'witness',
  size: 'size',
  cosignedText: 'cosigned_text',
  cosignedAt: 'cosigned_at',
  attempts: 'attempts',
  failingSince: 'failing_since',
  fault: 'fault',
}

/** Stores the newest cosignature of every witness, and its failures. */
export function createWitnessStore(query: Knex) {
  return {
    /** Reads what is known of witnesses of a log, in their order; witnesses that were never asked are left out. */
    async heads(origin: string, witnesses: readonly string[]): Promise<WitnessHead[]> {
      const rows = await query('witness_heads')
        .select(COLUMNS)
        .where({ origin })
        .whereIn('witness', [...witnesses])
        .orderBy('witness')
      return rows.map(headOf)
    },

    /** Reads the signature lines with which these witnesses cosigned this text. */
    async cosignatures(text: string, witnesses: readonly string[]): Promise<string[]> {
      if (witnesses.length === 0) return []
      const rows: { cosignature: string }[] = await query('witness_heads')
        .select('cosignature')
        .where({ cosigned_text: text })
        .whereIn('witness', [...witnesses])
        .orderBy('witness')
      return rows.map(({ cosignature }) => cosignature)
    },

    /**
     * Claims the next attempt at a witness; null if another process has it, or it is not due. If the claim is not settled by
     * `until`, it can be taken again.
     */
    async claim(
      trx: Knex.Transaction,
      { witness, origin }: WitnessedLog,
      { now, until }: { now: number; until: number },
    ): Promise<WitnessHead | null> {
      await trx('witness_heads')
        .insert({ witness, origin, size: 0, attempts: 0, next_attempt_at: 0 })
        .onConflict(['witness', 'origin'])
        .ignore()
      const claimed = await trx('witness_heads')
        .where({ witness, origin })
        .where('next_attempt_at', '<=', now)
        .update({ next_attempt_at: until, attempts: trx.raw('attempts + 1') })
        .returning(Object.values(COLUMNS))
      const [row] = claimed
      if (row === undefined) return null
      return headOf({
        ...{ witness: row.witness, size: row.size, attempts: row.attempts, fault: row.fault },
        ...{ cosignedText: row.cosigned_text, cosignedAt: row.cosigned_at, failingSince: row.failing_since },
      })
    },

    /** Stores a cosignature; the next attempt may follow at once. */
    async succeed(
      trx: Knex.Transaction,
      { witness, origin }: WitnessedLog,
      cosigned: { size: number; text: string; line: string; at: number },
    ): Promise<void> {
      await trx('witness_heads')
        .where({ witness, origin })
        .update({
          ...{ size: cosigned.size, cosigned_text: cosigned.text, cosignature: cosigned.line },
          ...{ cosigned_at: cosigned.at, attempts: 0, failing_since: null, fault: null, next_attempt_at: 0 },
        })
    },

    /** Stores why an attempt failed, and when the next is due. */
    async fail(
      trx: Knex.Transaction,
      { witness, origin }: WitnessedLog,
      { fault, at, nextAttemptAt }: { fault: string; at: number; nextAttemptAt: number },
    ): Promise<void> {
      await trx('witness_heads')
        .where({ witness, origin })
        .update({
          fault,
          failing_since: trx.raw('COALESCE(failing_since, ?)', [at]),
          next_attempt_at: nextAttemptAt,
        })
    },

    /** Returns a claim as if no attempt had been made. */
    async release(trx: Knex.Transaction, { witness, origin }: WitnessedLog): Promise<void> {
      await trx('witness_heads')
        .where({ witness, origin })
        .update({ next_attempt_at: 0, attempts: trx.raw('attempts - 1') })
    },
  }
}

function headOf(row: Record<keyof typeof COLUMNS, unknown>): WitnessHead {
  return {
    witness: String(row.witness),
    size: Number(row.size),
    cosignedText: row.cosignedText as string | null,
    cosignedAt: row.cosignedAt === null ? null : Number(row.cosignedAt),
    attempts: Number(row.attempts),
    failingSince: row.failingSince === null ? null : Number(row.failingSince),
    fault: row.fault as string | null,
  }
}
