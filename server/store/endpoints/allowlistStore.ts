import type { AllowlistEntry } from '@svc/core/access/allowlist.ts'
import type { Knex } from 'knex'
import { cutPage, orderNewestFirst, type StoredPage } from '../database/storedPage.ts'

/** A stored entry of an endpoint’s allowlist. */
export type AllowlistRow = AllowlistEntry & {
  /** UUIDv7. */
  id: string
  /** Internal id of the endpoint. */
  endpointId: string
  createdAt: number
}

const COLUMNS = {
  id: 'id',
  endpointId: 'endpoint_id',
  allowedOwnerIdentifier: 'allowed_owner_identifier',
  minTrustScore: 'min_trust_score',
  allowedPurposes: 'allowed_purposes',
  createdAt: 'created_at',
} as const satisfies Record<keyof AllowlistRow, string>

export type AllowlistStore = ReturnType<typeof createAllowlistStore>

/** Stores the allowlists of endpoints. */
export function createAllowlistStore(query: Knex) {
  return {
    /** Reads all entries of an endpoint in the order they were added; their number is bounded on creation. */
    async ofEndpoint(endpointId: string): Promise<AllowlistRow[]> {
      const rows = await query('allowlist_entries')
        .select(COLUMNS)
        .where({ endpoint_id: endpointId })
        .orderBy('position')
      return rows.map(entryOf)
    },

    /** Reads entries, newest first; `nextBefore` is null at the end. */
    async list(
      endpointId: string,
      page: { limit: number; before: number | null },
    ): Promise<StoredPage<AllowlistRow>> {
      const entries = query('allowlist_entries')
        .select({ ...COLUMNS, position: 'position' })
        .where({ endpoint_id: endpointId })
      const rows = await orderNewestFirst(entries, page.before).limit(page.limit + 1)
      return cutPage(rows, page.limit, entryOf)
    },

    /** Reads the entries of an endpoint for one owner. */
    async ofOwner(trx: Knex.Transaction, endpointId: string, ownerId: string): Promise<AllowlistRow[]> {
      const rows = await trx('allowlist_entries')
        .select(COLUMNS)
        .where({ endpoint_id: endpointId, allowed_owner_identifier: ownerId })
        .orderBy('position')
      return rows.map(entryOf)
    },

    async count(trx: Knex.Transaction, endpointId: string): Promise<number> {
      const row = await trx('allowlist_entries').where({ endpoint_id: endpointId }).count({ n: '*' }).first()
      return Number(row?.n ?? 0)
    },

    async insert(trx: Knex.Transaction, entry: AllowlistRow): Promise<void> {
      await trx('allowlist_entries').insert({
        id: entry.id,
        endpoint_id: entry.endpointId,
        allowed_owner_identifier: entry.allowedOwnerIdentifier,
        min_trust_score: entry.minTrustScore ?? null,
        allowed_purposes: entry.allowedPurposes === undefined ? null : JSON.stringify(entry.allowedPurposes),
        created_at: entry.createdAt,
      })
    },

    /** Reads which owner an entry admits; null if the endpoint has no such entry. */
    async ownerOf(trx: Knex.Transaction, endpointId: string, id: string): Promise<string | null> {
      const row = await trx('allowlist_entries')
        .select({ owner: 'allowed_owner_identifier' })
        .where({ endpoint_id: endpointId, id })
        .first()
      return row === undefined ? null : String(row.owner)
    },

    async remove(trx: Knex.Transaction, endpointId: string, id: string): Promise<void> {
      await trx('allowlist_entries').where({ endpoint_id: endpointId, id }).delete()
    },
  }
}

function entryOf(row: Record<keyof AllowlistRow, unknown>): AllowlistRow {
  return {
    id: String(row.id),
    endpointId: String(row.endpointId),
    allowedOwnerIdentifier: String(row.allowedOwnerIdentifier),
    minTrustScore: row.minTrustScore === null ? undefined : Number(row.minTrustScore),
    allowedPurposes: row.allowedPurposes === null ? undefined : JSON.parse(String(row.allowedPurposes)),
    createdAt: Number(row.createdAt),
  }
}
