import type { Knex } from 'knex'
import { cutPage, orderNewestFirst, type StoredPage } from '../database/storedPage.ts'

/** The state of a request; after its window it may still be stored as `pending`. Source: `Spec: Registration request`. */
export type RegistrationRequestStatus = 'pending' | 'approved' | 'denied' | 'expired'

/** How the agent was asked for: by an API key, by a stranger who names an address, or by the owner's own account. */
export type RegistrationRequestKind = 'api_key' | 'outreach' | 'account'

/** A stored registration that awaits its owner’s decision; times are epoch milliseconds. */
export type StoredRegistrationRequest = {
  /** Order of arrival. */
  position: number
  /** UUID. */
  id: string
  kind: RegistrationRequestKind
  /** `SVCD-` or `SVCO-`; null for an outreach that nobody has claimed. */
  ownerId: string | null
  /** Lower case; null for a request by API key. */
  ownerEmail: string | null
  apiKeyId: string | null
  /** JSON text of the requested registration. */
  registration: string
  reason: string | null
  challengeSalt: string
  status: RegistrationRequestStatus
  createdAt: number
  expiresAt: number
  decidedAt: number | null
  denialReason: string | null
  /** Internal id (UUID) and `SVC-` identifier of the resulting agent. */
  agentId: string | null
  svcId: string | null
}

type NewRequest = Omit<
  StoredRegistrationRequest,
  'position' | 'status' | 'decidedAt' | 'denialReason' | 'agentId' | 'svcId'
>

/** Whose requests to read: those of these owners, and those sent to a verified address. */
type Audience = { ownerIds: readonly string[]; email: string | null }

type Decision = { id: string; ownerId: string; userId: string; now: number }

export type RegistrationRequestStore = ReturnType<typeof createRegistrationRequestStore>

const COLUMNS = {
  position: 'position',
  id: 'id',
  kind: 'kind',
  ownerId: 'owner_id',
  ownerEmail: 'owner_email',
  apiKeyId: 'api_key_id',
  registration: 'registration',
  reason: 'reason',
  challengeSalt: 'challenge_salt',
  status: 'status',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  decidedAt: 'decided_at',
  denialReason: 'denial_reason',
  agentId: 'agent_id',
  svcId: 'svc_id',
}

const TABLE = 'registration_requests'

/** Stores registrations that await an owner’s approval, and their outcome. */
export function createRegistrationRequestStore(query: Knex) {
  return {
    async insert(trx: Knex.Transaction, request: NewRequest): Promise<void> {
      await trx(TABLE).insert({
        id: request.id,
        kind: request.kind,
        owner_id: request.ownerId,
        owner_email: request.ownerEmail,
        api_key_id: request.apiKeyId,
        registration: request.registration,
        reason: request.reason,
        challenge_salt: request.challengeSalt,
        status: 'pending',
        created_at: request.createdAt,
        expires_at: request.expiresAt,
      })
    },

    async byId(id: string, run: Knex = query): Promise<StoredRegistrationRequest | null> {
      const row = await run(TABLE).select(COLUMNS).where({ id }).first()
      return row ? requestOf(row) : null
    },

    /** Reads requests with their state at a given time, newest first; `nextBefore` is null at the end. */
    async listFor(
      { ownerIds, email }: Audience,
      { status, now }: { status: RegistrationRequestStatus | undefined; now: number },
      page: { limit: number; before: number | null },
    ): Promise<StoredPage<StoredRegistrationRequest>> {
      // Two queries, each with its own index; one query with OR would sort the whole table.
      const requests = () => {
        const standing = query(TABLE).select(COLUMNS)
        if (status !== undefined) standsAt(standing, status, now)
        return orderNewestFirst(standing, page.before).limit(page.limit + 1)
      }
      const owned = await requests().whereIn('owner_id', [...ownerIds])
      // Not by the bare column, which would scan all unclaimed requests.
      const toAddress = () => requests().where({ owner_email: email }).whereRaw(`COALESCE(owner_id, '') = ''`)
      const mailed = email === null ? [] : await toAddress()
      const rows = [...owned, ...mailed].sort((one, other) => Number(other.position) - Number(one.position))
      return cutPage(rows, page.limit, requestOf)
    },

    /** Counts an owner’s pending requests at a given time. */
    async countPending(trx: Knex.Transaction, ownerId: string, now: number): Promise<number> {
      const [row] = await trx(TABLE)
        .where({ owner_id: ownerId, status: 'pending' })
        .where('expires_at', '>', now)
        .count({ n: '*' })
      return Number(row?.n ?? 0)
    },

    /** Reads when requests were sent to an address since a given time, oldest first. */
    async askedSince(trx: Knex.Transaction, email: string, since: number): Promise<number[]> {
      const rows = await trx(TABLE)
        .select({ createdAt: 'created_at' })
        .where({ owner_email: email })
        .where('created_at', '>', since)
        .orderBy('created_at')
      return rows.map(({ createdAt }) => Number(createdAt))
    },

    /**
     * Assigns a pending outreach to the holder of its mailed token; false if it belongs to somebody else or the token
     * differs.
     */
    async claim(
      trx: Knex.Transaction,
      { id, tokenHash, ownerId, now }: { id: string; tokenHash: string; ownerId: string; now: number },
    ): Promise<boolean> {
      const changed = await trx(TABLE)
        .where({ id, token_hash: tokenHash })
        .where((own) =>
          own
            .where({ owner_id: ownerId })
            .orWhere((free) =>
              free.whereNull('owner_id').where({ status: 'pending' }).where('expires_at', '>', now),
            ),
        )
        .update({ owner_id: ownerId })
      return changed === 1
    },

    /** Approves a pending request within its window; false if it is no longer pending. */
    async approve(trx: Knex.Transaction, { id, ownerId, userId, now }: Decision): Promise<boolean> {
      const changed = await open(trx, { id, ownerId, now }).update({
        status: 'approved',
        owner_id: ownerId,
        decided_at: now,
        decided_by: userId,
      })
      return changed === 1
    },

    /** Denies a pending request within its window; false if it is no longer pending. */
    async deny(
      trx: Knex.Transaction,
      { id, ownerId, userId, reason, now }: Decision & { reason: string | null },
    ): Promise<boolean> {
      const changed = await open(trx, { id, ownerId, now }).update({
        status: 'denied',
        owner_id: ownerId,
        decided_at: now,
        decided_by: userId,
        denial_reason: reason,
      })
      return changed === 1
    },

    /** Stores the agent that resulted from an approved request. */
    async setAgent(
      trx: Knex.Transaction,
      id: string,
      agent: { agentId: string; svcId: string },
    ): Promise<void> {
      await trx(TABLE).where({ id }).update({ agent_id: agent.agentId, svc_id: agent.svcId })
    },

    /** Marks overdue pending requests as expired, and returns them. */
    async expire(trx: Knex.Transaction, now: number, limit: number): Promise<StoredRegistrationRequest[]> {
      const due = await trx(TABLE)
        .select(COLUMNS)
        .where({ status: 'pending' })
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
      const expired: StoredRegistrationRequest[] = []
      for (const row of due) {
        const ended = { status: 'expired', decided_at: row.expiresAt }
        const changed = await trx(TABLE).where({ id: row.id, status: 'pending' }).update(ended)
        if (changed === 1) expired.push({ ...requestOf(row), status: 'expired' })
      }
      return expired
    },

    /** Marks requests whose owners were not notified yet as notified at `now`, and returns them oldest first. */
    async announce(trx: Knex.Transaction, now: number, limit: number): Promise<StoredRegistrationRequest[]> {
      const next = await trx(TABLE)
        .select(COLUMNS)
        .whereNull('announced_at')
        .orderBy('position')
        .limit(limit)
        .then((rows) => rows.map(requestOf))
      const taken: StoredRegistrationRequest[] = []
      for (const request of next) {
        const told = trx(TABLE).where({ id: request.id }).whereNull('announced_at')
        if ((await told.update({ announced_at: now })) === 1) taken.push(request)
      }
      return taken
    },

    /**
     * Deletes the addresses of at most `most` outreaches that ended before a given time, and unclaimed outreaches entirely;
     * returns how many it changed.
     */
    async forgetAddresses(trx: Knex.Transaction, before: number, most: number): Promise<number> {
      const ended = (requests: Knex.QueryBuilder) =>
        requests.where('decided_at', '<', before).whereNotNull('owner_email')
      const due = ended(trx(TABLE).select('id')).limit(most)
      const ids = (await due).map((row: { id: string }) => row.id)
      if (ids.length === 0) return 0
      await trx(TABLE).whereIn('id', ids).whereNull('owner_id').delete()
      await trx(TABLE).whereIn('id', ids).update({ owner_email: null, token_hash: null })
      return ids.length
    },

    /** Stores the hash of the token mailed for an outreach. */
    async setToken(trx: Knex.Transaction, id: string, tokenHash: string): Promise<void> {
      await trx(TABLE).where({ id }).update({ token_hash: tokenHash })
    },
  }
}

/** Selects a request that can still be decided, by its owner or by the holder of its address. */
function open(trx: Knex.Transaction, { id, ownerId, now }: Omit<Decision, 'userId'>): Knex.QueryBuilder {
  return trx(TABLE)
    .where({ id, status: 'pending' })
    .where('expires_at', '>', now)
    .where((own) => own.whereNull('owner_id').orWhere({ owner_id: ownerId }))
}

function standsAt(requests: Knex.QueryBuilder, status: RegistrationRequestStatus, now: number): void {
  if (status === 'pending') {
    requests.where({ status }).where('expires_at', '>', now)
  } else if (status === 'expired') {
    requests.where((past) =>
      past
        .where({ status })
        .orWhere((due) => due.where({ status: 'pending' }).where('expires_at', '<=', now)),
    )
  } else requests.where({ status })
}

function requestOf(row: Record<string, unknown>): StoredRegistrationRequest {
  const request = row as StoredRegistrationRequest
  return {
    ...request,
    position: Number(row.position),
    createdAt: Number(row.createdAt),
    expiresAt: Number(row.expiresAt),
    decidedAt: row.decidedAt === null ? null : Number(row.decidedAt),
  }
}
