import type { Knex } from 'knex'

/** An identity at another provider that signs in to an account; times are epoch milliseconds. */
export type LinkedIdentity = {
  /** UUIDv7. */
  id: string
  userId: string
  provider: string
  /** As in the token: that of the tenant, for a multi-tenant provider. */
  issuer: string
  subject: string
  /** As reported by the provider at linking; no later decision depends on it. */
  email: string | null
  linkedAt: number
}

export type LinkedIdentityStore = ReturnType<typeof createLinkedIdentityStore>

const COLUMNS = {
  id: 'id',
  userId: 'user_id',
  provider: 'provider',
  issuer: 'issuer',
  subject: 'subject',
  email: 'email',
  linkedAt: 'linked_at',
}

/** Stores linked identities, and the hashes of the codes that pass a finished sign-in to the page. */
export function createLinkedIdentityStore(query: Knex) {
  return {
    /** False, storing nothing, if the identity is already linked. */
    async insert(trx: Knex.Transaction, identity: LinkedIdentity): Promise<boolean> {
      const stored = await trx('linked_identities')
        .insert({
          id: identity.id,
          user_id: identity.userId,
          provider: identity.provider,
          issuer: identity.issuer,
          subject: identity.subject,
          email: identity.email,
          linked_at: identity.linkedAt,
        })
        .onConflict(['provider', 'issuer', 'subject'])
        .ignore()
        .returning('id')
      return stored.length > 0
    },

    /** Reads the identity of a provider's subject, for any account. */
    async bySubject(
      trx: Knex.Transaction,
      { provider, issuer, subject }: Pick<LinkedIdentity, 'provider' | 'issuer' | 'subject'>,
    ): Promise<LinkedIdentity | null> {
      const row = await trx('linked_identities').select(COLUMNS).where({ provider, issuer, subject }).first()
      return row ? identityOf(row) : null
    },

    async byId(trx: Knex.Transaction, id: string): Promise<LinkedIdentity | null> {
      const row = await trx('linked_identities').select(COLUMNS).where({ id }).first()
      return row ? identityOf(row) : null
    },

    /** Reads all identities of an account, in linking order; their number is bounded on creation. */
    async ofUser(userId: string, run: Knex = query): Promise<LinkedIdentity[]> {
      const rows = await run('linked_identities').select(COLUMNS).where({ user_id: userId }).orderBy('id')
      return rows.map(identityOf)
    },

    /** Deletes an identity and its codes; false if the account has no such identity. */
    async delete(trx: Knex.Transaction, userId: string, id: string): Promise<boolean> {
      const own = trx('linked_identities').select('id').where({ id, user_id: userId })
      await trx('sign_in_hand_overs').delete().whereIn('identity_id', own)
      return (await trx('linked_identities').delete().where({ id, user_id: userId })) > 0
    },

    /** Deletes all identities of an account and their codes. */
    async deleteOfUser(trx: Knex.Transaction, userId: string): Promise<void> {
      const own = trx('linked_identities').select('id').where({ user_id: userId })
      await trx('sign_in_hand_overs').delete().whereIn('identity_id', own)
      await trx('linked_identities').delete().where({ user_id: userId })
    },

    /** Stores the hash of a code and deletes expired ones. */
    async insertHandOver(
      trx: Knex.Transaction,
      handOver: { codeHash: string; identityId: string; expiresAt: number },
      now: number,
    ): Promise<void> {
      await trx('sign_in_hand_overs').delete().where('expires_at', '<=', now)
      await trx('sign_in_hand_overs').insert({
        code_hash: handOver.codeHash,
        identity_id: handOver.identityId,
        expires_at: handOver.expiresAt,
      })
    },

    /** Consumes a code and returns its sign-in; null if it is unknown, consumed or expired. */
    async takeHandOver(trx: Knex.Transaction, codeHash: string, now: number): Promise<string | null> {
      const row = await trx('sign_in_hand_overs')
        .select({ identityId: 'identity_id' })
        .where({ code_hash: codeHash })
        .where('expires_at', '>', now)
        .first()
      const taken = await trx('sign_in_hand_overs').delete().where({ code_hash: codeHash })
      return taken > 0 && row ? row.identityId : null
    },
  }
}

function identityOf(row: Record<keyof LinkedIdentity, unknown>): LinkedIdentity {
  return { ...row, linkedAt: Number(row.linkedAt) } as LinkedIdentity
}
