import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { Knex } from 'knex'
import { cutPage, orderNewestFirst, type StoredPage } from '../database/storedPage.ts'
import { heldProofOf } from '../recorder/heldProofOf.ts'
import { type ApprovalKey, placeOfAttempt } from '../recorder/recorder.ts'

/** The state of an approval; after its window it may still be stored as `pending` or `approved`. */
export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'consumed'

/** A stored step-up approval; times are epoch milliseconds. */
export type StoredApproval = {
  /** Order of arrival. */
  position: number
  id: string
  agentId: string
  ownerId: string
  counterpartyOwnerId: string | null
  /** Internal id of the endpoint. */
  endpointId: string | null
  apiKeyId: string
  attemptId: string
  requestHash: string
  /** JSON text of the request as shown to its owner. */
  request: string
  dimensions: readonly string[]
  needsFreshAssertion: boolean
  challengeSalt: string
  status: ApprovalStatus
  createdAt: number
  expiresAt: number
  decidedAt: number | null
  consumedAt: number | null
}

type ApprovalPage = { limit: number; before: number | null }

export type ApprovalStore = ReturnType<typeof createApprovalStore>

const COLUMNS = {
  position: 'position',
  id: 'id',
  agentId: 'agent_id',
  ownerId: 'owner_id',
  counterpartyOwnerId: 'counterparty_owner_id',
  endpointId: 'endpoint_id',
  apiKeyId: 'api_key_id',
  attemptId: 'attempt_id',
  requestHash: 'request_hash',
  request: 'request',
  dimensions: 'dimensions',
  needsFreshAssertion: 'needs_fresh_assertion',
  challengeSalt: 'challenge_salt',
  status: 'status',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  decidedAt: 'decided_at',
  consumedAt: 'consumed_at',
}

const IN_EFFECT: readonly ApprovalStatus[] = ['pending', 'approved', 'denied']

/** Reads approvals and stores their owners’ decisions; the recorder creates and consumes them. */
export function createApprovalStore(query: Knex) {
  return {
    async byId(id: string, run: Knex = query): Promise<StoredApproval | null> {
      const row = await run('step_up_approvals').select(COLUMNS).where({ id }).first()
      return row ? approvalOf(row) : null
    },

    /** Reads what the request proved that an attempt was held with; null if no decision of its owner is in effect or due. */
    async heldProof({ agentId, attemptId, ...at }: ApprovalKey, now: number): Promise<IdentityProof | null> {
      const newest = await query('step_up_approvals')
        .select('request', 'status', 'expires_at')
        .where({ agent_id: agentId, attempt_id: attemptId })
        .whereRaw('coalesce(endpoint_id, counterparty_owner_id) = ?', [placeOfAttempt(at)])
        .orderBy('position', 'desc')
        .first()
      const isInEffect = IN_EFFECT.includes(newest?.status) && Number(newest.expires_at) > now
      return isInEffect ? (heldProofOf(newest.request) ?? null) : null
    },

    /** Reads approvals of these owners with their state at a given time, newest first; `nextBefore` is null at the end. */
    async listByOwners(
      ownerIds: readonly string[],
      { status, now }: { status: ApprovalStatus | undefined; now: number },
      page: ApprovalPage,
    ): Promise<StoredPage<StoredApproval>> {
      const approvals = query('step_up_approvals')
        .select(COLUMNS)
        .whereIn('owner_id', [...ownerIds])
      if (status !== undefined) standsAt(approvals, status, now)
      const rows = await orderNewestFirst(approvals, page.before).limit(page.limit + 1)
      return cutPage(rows, page.limit, approvalOf)
    },

    /** Approves a pending approval within its window; false if it is no longer pending. */
    async approve(
      trx: Knex.Transaction,
      {
        id,
        userId,
        hasFreshAssertion,
        now,
      }: { id: string; userId: string; hasFreshAssertion: boolean; now: number },
    ): Promise<boolean> {
      const changed = await trx('step_up_approvals')
        .where({ id, status: 'pending' })
        .where('expires_at', '>', now)
        .update({
          status: 'approved',
          has_fresh_assertion: hasFreshAssertion,
          decided_at: now,
          decided_by: userId,
        })
      return changed === 1
    },

    /** Denies a pending or approved approval within its window; false if it was consumed, denied or has expired. */
    async deny(
      trx: Knex.Transaction,
      { id, userId, now }: { id: string; userId: string; now: number },
    ): Promise<boolean> {
      const changed = await trx('step_up_approvals')
        .where({ id })
        .whereIn('status', ['pending', 'approved'])
        .where('expires_at', '>', now)
        .update({ status: 'denied', decided_at: now, decided_by: userId })
      return changed === 1
    },

    /** Marks overdue pending approvals as expired, and returns them. */
    async expire(trx: Knex.Transaction, now: number, limit: number): Promise<StoredApproval[]> {
      const due = await trx('step_up_approvals')
        .select(COLUMNS)
        .where({ status: 'pending' })
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
      const expired: StoredApproval[] = []
      for (const row of due) {
        const changed = await trx('step_up_approvals')
          .where({ id: row.id, status: 'pending' })
          .update({ status: 'expired', decided_at: now })
        if (changed === 1) expired.push(approvalOf(row))
      }
      return expired
    },

    /**
     * Reads when the approval that is `places` positions earlier for the same owner was requested, of those that proved as
     * much or as little; null if there is none.
     */
    async askedBefore(
      trx: Knex.Transaction,
      {
        ownerId,
        position,
        isUnproven,
      }: Pick<StoredApproval, 'ownerId' | 'position'> & { isUnproven: boolean },
      places: number,
    ): Promise<number | null> {
      const row = await trx('step_up_approvals')
        .select({ createdAt: 'created_at' })
        .where({ owner_id: ownerId, is_unproven: isUnproven })
        .where('position', '<', position)
        .orderBy('position', 'desc')
        .offset(places - 1)
        .first()
      return row ? Number(row.createdAt) : null
    },

    /** Marks approvals whose owners were not notified yet as notified at `now`, and returns them oldest first. */
    async announce(trx: Knex.Transaction, now: number, limit: number): Promise<StoredApproval[]> {
      const next = trx('step_up_approvals')
        .select('position')
        .whereNull('announced_at')
        .orderBy('position')
        .limit(limit)
      const rows = await trx('step_up_approvals')
        .whereIn('position', next)
        .whereNull('announced_at')
        .update({ announced_at: now })
        .returning(Object.values(COLUMNS))
      return rows.map(named).map(approvalOf)
    },
  }
}

function standsAt(approvals: Knex.QueryBuilder, status: ApprovalStatus, now: number): void {
  if (status === 'pending' || status === 'approved') {
    approvals.where({ status }).where('expires_at', '>', now)
  } else if (status === 'expired') {
    approvals.where((past) =>
      past
        .where({ status })
        .orWhere((due) => due.whereIn('status', ['pending', 'approved']).where('expires_at', '<=', now)),
    )
  } else approvals.where({ status })
}

/** Renames the columns of a returned row to the names used here. */
function named(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(COLUMNS).map(([field, column]) => [field, row[column]]))
}

function approvalOf(row: Record<string, unknown>): StoredApproval {
  return {
    ...(row as StoredApproval),
    position: Number(row.position),
    dimensions: JSON.parse(String(row.dimensions)),
    needsFreshAssertion: Boolean(row.needsFreshAssertion),
    createdAt: Number(row.createdAt),
    expiresAt: Number(row.expiresAt),
    decidedAt: row.decidedAt === null ? null : Number(row.decidedAt),
    consumedAt: row.consumedAt === null ? null : Number(row.consumedAt),
  }
}
