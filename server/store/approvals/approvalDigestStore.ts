import type { Knex } from 'knex'
import type { StoredApproval } from './approvalStore.ts'

/** The owner of agents, and the account whose endpoints report requests of theirs. */
export type DigestParties = { ownerId: string; accountId: string }

/** An approval as a mail about several needs it. */
export type DigestedApproval = Pick<
  StoredApproval,
  'position' | 'id' | 'agentId' | 'request' | 'status' | 'expiresAt'
>

export type ApprovalDigestStore = ReturnType<typeof createApprovalDigestStore>

/** Gathers the approvals of requests that prove nothing for mails about several of them. */
export function createApprovalDigestStore() {
  return {
    /** Marks an approval as one of those, and when it is due for a mail; null for none. */
    async mark(trx: Knex.Transaction, id: string, digestAt: number | null): Promise<void> {
      await trx('step_up_approvals').where({ id }).update({ is_unproven: true, digest_at: digestAt })
    },

    /** Reads whose approvals are due. */
    async due(trx: Knex.Transaction, now: number, limit: number): Promise<DigestParties[]> {
      return trx('step_up_approvals')
        .distinct({ ownerId: 'owner_id', accountId: 'counterparty_account_id' })
        .where('digest_at', '<=', now)
        .limit(limit)
    },

    /** Takes the approvals for a mail, oldest first; none, and postpones them, if the last was less than `pauseMs` ago. */
    async take(
      trx: Knex.Transaction,
      { ownerId, accountId }: DigestParties,
      { now, pauseMs }: { now: number; pauseMs: number },
    ): Promise<DigestedApproval[]> {
      const parties = { owner_id: ownerId, account_id: accountId }
      const begun = await trx('approval_digests')
        .insert({ ...parties, mailed_at: now })
        .onConflict(['owner_id', 'account_id'])
        .merge({ mailed_at: now })
        .where('approval_digests.mailed_at', '<=', now - pauseMs)
        .returning('mailed_at')
      const waiting = trx('step_up_approvals')
        .where({ owner_id: ownerId, counterparty_account_id: accountId })
        .whereNotNull('digest_at')
      if (begun.length === 0) {
        const last = await trx('approval_digests').select('mailed_at').where(parties).first()
        await waiting.update({ digest_at: Number(last.mailed_at) + pauseMs })
        return []
      }
      const rows = await waiting
        .update({ digest_at: null })
        .returning(['position', 'id', 'agent_id', 'request', 'status', 'expires_at'])
      return rows.map(toDigestedApproval).sort((a, b) => a.position - b.position)
    },
  }
}

function toDigestedApproval(row: Record<string, unknown>): DigestedApproval {
  return {
    position: Number(row.position),
    id: String(row.id),
    agentId: String(row.agent_id),
    request: String(row.request),
    status: row.status as StoredApproval['status'],
    expiresAt: Number(row.expires_at),
  }
}
