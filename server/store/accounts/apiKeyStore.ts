import type { Knex } from 'knex'

/** Metadata of an API key, without the key; times are epoch milliseconds. */
export type ApiKey = {
  /** UUIDv7. */
  id: string
  /** SHA-256 of the key, 64 hexadecimal digits. */
  keyHash: string
  lastFour: string
  name: string
  userId: string
  /** The organisation it was created in; null for a personal key. */
  organizationId: string | null
  createdAt: number
  revokedAt: number | null
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>

const COLUMNS = {
  id: 'id',
  keyHash: 'key_hash',
  lastFour: 'last_four',
  name: 'name',
  userId: 'user_id',
  organizationId: 'organization_id',
  createdAt: 'created_at',
  revokedAt: 'revoked_at',
}

/** Stores API keys by their hash; a revoked key remains, for the records that refer to it. */
export function createApiKeyStore(query: Knex) {
  return {
    async insert(trx: Knex.Transaction, key: ApiKey): Promise<void> {
      await trx('api_keys').insert({
        id: key.id,
        key_hash: key.keyHash,
        last_four: key.lastFour,
        name: key.name,
        user_id: key.userId,
        organization_id: key.organizationId,
        created_at: key.createdAt,
        revoked_at: key.revokedAt,
      })
    },

    /** Reads a key, revoked or not. */
    async byHash(keyHash: string): Promise<ApiKey | null> {
      return (await query('api_keys').select(COLUMNS).where({ key_hash: keyHash }).first()) ?? null
    },

    async byId(trx: Knex.Transaction, id: string): Promise<ApiKey | null> {
      return (await trx('api_keys').select(COLUMNS).where({ id }).first()) ?? null
    },

    async countLive(trx: Knex.Transaction, userId: string): Promise<number> {
      const row = await trx('api_keys')
        .count({ live: 'id' })
        .where({ user_id: userId })
        .whereNull('revoked_at')
        .first()
      return Number(row?.live)
    },

    /** Reads the active keys of a user and of the organisations it manages, newest first. */
    async list(
      visibleTo: { userId: string; managedOrganizationIds: readonly string[] },
      page: { before: { id: string } | null; limit: number; organizationId?: string | undefined },
    ): Promise<ApiKey[]> {
      const { userId, managedOrganizationIds } = visibleTo
      return query('api_keys')
        .select(COLUMNS)
        .whereNull('revoked_at')
        .where((visible) => {
          visible.where({ user_id: userId })
          // An empty list yields a condition that is never true, for which the database would scan all keys.
          if (managedOrganizationIds.length > 0) {
            visible.orWhereIn('organization_id', [...managedOrganizationIds])
          }
        })
        .modify((keys) => {
          if (page.before !== null) keys.where('id', '<', page.before.id)
          if (page.organizationId !== undefined) keys.where({ organization_id: page.organizationId })
        })
        .orderBy('id', 'desc')
        .limit(page.limit)
    },

    async revoke(trx: Knex.Transaction, id: string, revokedAt: number): Promise<void> {
      await trx('api_keys').update({ revoked_at: revokedAt }).where({ id }).whereNull('revoked_at')
    },

    /** Revokes the keys that a user created in an organisation. */
    async revokeOfMember(
      trx: Knex.Transaction,
      member: { organizationId: string; userId: string },
      revokedAt: number,
    ): Promise<{ keyHash: string }[]> {
      return trx('api_keys')
        .update({ revoked_at: revokedAt })
        .where({ organization_id: member.organizationId, user_id: member.userId })
        .whereNull('revoked_at')
        .returning('key_hash as keyHash')
    },

    /** Revokes all keys that a user created, including those of organisations. */
    async revokeOfUser(
      trx: Knex.Transaction,
      userId: string,
      revokedAt: number,
    ): Promise<{ keyHash: string }[]> {
      return trx('api_keys')
        .update({ revoked_at: revokedAt })
        .where({ user_id: userId })
        .whereNull('revoked_at')
        .returning('key_hash as keyHash')
    },
  }
}
