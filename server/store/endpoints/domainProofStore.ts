import type { Knex } from 'knex'

/** The domain verification of an endpoint. */
export type DomainProof = {
  /** Internal id. */
  endpointId: string
  /** The token to publish. */
  token: string
  /** How the token was last found; null if it never was. */
  method: 'dns' | 'well_known' | null
  /** Number of failed checks since the token was last found. */
  failures: number
  /** Epoch milliseconds. */
  provenAt: number | null
  /** When the next check is due; null while the domain is unverified. */
  nextCheckAt: number | null
}

const COLUMNS = {
  endpointId: 'endpoint_id',
  token: 'token',
  method: 'method',
  failures: 'failures',
  provenAt: 'proven_at',
  nextCheckAt: 'next_check_at',
} as const satisfies Record<keyof DomainProof, string>

export type DomainProofStore = ReturnType<typeof createDomainProofStore>

/** Stores domain verifications. */
export function createDomainProofStore(query: Knex) {
  return {
    /** Reads an endpoint’s verification, with the offered token if there is none yet. */
    async ofEndpoint(endpointId: string, token: string, run: Knex = query): Promise<DomainProof> {
      await run('domain_proofs').insert({ endpoint_id: endpointId, token }).onConflict('endpoint_id').ignore()
      const row = await run('domain_proofs').select(COLUMNS).where({ endpoint_id: endpointId }).first()
      if (!row) throw new Error(`endpoint ${endpointId} has lost its domain proof`)
      return proofOf(row)
    },

    async update(
      trx: Knex.Transaction,
      endpointId: string,
      { method, failures, provenAt, nextCheckAt }: Omit<DomainProof, 'endpointId' | 'token'>,
    ): Promise<void> {
      await trx('domain_proofs')
        .where({ endpoint_id: endpointId })
        .update({ method, failures, proven_at: provenAt, next_check_at: nextCheckAt })
    },

    /**
     * Claims due verifications by moving their next check to `retryAt`, so that one process checks each and none is lost in
     * a crash.
     */
    async takeDue(now: number, retryAt: number, limit: number): Promise<DomainProof[]> {
      const due = await query('domain_proofs')
        .select(COLUMNS)
        .where('next_check_at', '<=', now)
        .orderBy('next_check_at')
        .limit(limit)
      const taken: DomainProof[] = []
      for (const row of due) {
        const { endpointId, nextCheckAt } = row
        const won = await query('domain_proofs')
          .where({ endpoint_id: endpointId, next_check_at: nextCheckAt })
          .update({ next_check_at: retryAt })
        if (won > 0) taken.push(proofOf(row))
      }
      return taken
    },
  }
}

function proofOf(row: DomainProof): DomainProof {
  return {
    ...row,
    failures: Number(row.failures),
    provenAt: row.provenAt === null ? null : Number(row.provenAt),
    nextCheckAt: row.nextCheckAt === null ? null : Number(row.nextCheckAt),
  }
}
