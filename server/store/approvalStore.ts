import type { Knex } from 'knex'

/** A step-up approval as it is stored; times in epoch milliseconds. */
export type StoredApproval = {
  id: string
  agentId: string
  ownerId: string
  apiKeyId: string
  attemptId: string
  dimensions: readonly string[]
  status: string
  createdAt: number
  expiresAt: number
  decidedAt: number | null
  consumedAt: number | null
}

export type ApprovalStore = ReturnType<typeof createApprovalStore>

/** Reads approvals; the recorder creates and consumes them. */
export function createApprovalStore(query: Knex) {
  return {
    async byId(id: string): Promise<StoredApproval | null> {
      const row = await query('step_up_approvals')
        .select({
          id: 'id',
          agentId: 'agent_id',
          ownerId: 'owner_id',
          apiKeyId: 'api_key_id',
          attemptId: 'attempt_id',
          dimensions: 'dimensions',
          status: 'status',
          createdAt: 'created_at',
          expiresAt: 'expires_at',
          decidedAt: 'decided_at',
          consumedAt: 'consumed_at',
        })
        .where({ id })
        .first()
      return row ? { ...row, dimensions: JSON.parse(row.dimensions) } : null
    },
  }
}
