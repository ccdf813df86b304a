import type { Knex } from 'knex'

/** A measure of an operator that is in force; `decidedAt` in epoch milliseconds. */
export type Intervention = {
  /** A suspended `SVCD-` or `SVCO-`, a withdrawn `SVC-`, or the UUID of a released endpoint. */
  subjectId: string
  /** What the owner was told. */
  reason: string
  /** `SVCD-` identifier of the operator. */
  decidedBy: string
  decidedAt: number
}

export type InterventionStore = ReturnType<typeof createInterventionStore>

const COLUMNS = {
  subjectId: 'interventions.subject_id',
  reason: 'interventions.reason',
  decidedBy: 'interventions.decided_by',
  decidedAt: 'interventions.decided_at',
} as const satisfies Record<keyof Intervention, string>

/** The columns of the intervention joined to a row, under names that no row has. */
export const JOINED_INTERVENTION = {
  interventionReason: COLUMNS.reason,
  interventionBy: COLUMNS.decidedBy,
  interventionAt: COLUMNS.decidedAt,
} as const

/** Stores the measures of operators that are in force. */
export function createInterventionStore(query: Knex) {
  return {
    /** Reads the measure against a subject; null if there is none. */
    async find(subjectId: string, run: Knex = query): Promise<Intervention | null> {
      const row = await run('interventions').select(COLUMNS).where({ subject_id: subjectId }).first()
      return row ? { ...row, decidedAt: Number(row.decidedAt) } : null
    },

    /** Reads the measures against any of these subjects. */
    async among(subjectIds: readonly string[]): Promise<ReadonlyMap<string, Intervention>> {
      const rows = await query('interventions')
        .select(COLUMNS)
        .whereIn('subject_id', [...subjectIds])
      return new Map(rows.map((row) => [row.subjectId, { ...row, decidedAt: Number(row.decidedAt) }]))
    },

    /** Stores a measure; false, storing nothing, if there is one against the subject. */
    async insert(trx: Knex.Transaction, intervention: Intervention): Promise<boolean> {
      const stored = await trx('interventions')
        .insert({
          subject_id: intervention.subjectId,
          reason: intervention.reason,
          decided_by: intervention.decidedBy,
          decided_at: intervention.decidedAt,
        })
        .onConflict('subject_id')
        .ignore()
        .returning('subject_id')
      return stored.length > 0
    },

    /** Lifts the measure against a subject; false if there is none. */
    async delete(trx: Knex.Transaction, subjectId: string): Promise<boolean> {
      return (await trx('interventions').where({ subject_id: subjectId }).delete()) > 0
    },
  }
}

/** The intervention joined to a row; null if there is none. */
export function readJoinedIntervention(
  row: Record<keyof typeof JOINED_INTERVENTION, unknown>,
): Omit<Intervention, 'subjectId'> | null {
  if (row.interventionAt === null) return null
  return {
    reason: String(row.interventionReason),
    decidedBy: String(row.interventionBy),
    decidedAt: Number(row.interventionAt),
  }
}
