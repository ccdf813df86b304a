import type { Knex } from 'knex'

/** An identity at another provider that signs in to an account; times are epoch milliseconds. */
export type LinkedIdentity = {
  /** UUIDv7. */
  id: string
  userId: string
  provider: string
  /** As the token names it: of the tenant, where a provider has many. */
  issuer: string
  subject: string
  /** As the provider told it when it was linked; nothing is decided by it afterwards. */
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

/** Keeps linked identities, and by their hash the codes that hand a finished sign-in over to the page. */
export function createLinkedIdentityStore(query: Knex) {
  return {
    /** False, and nothing is stored, when the identity is linked already. */
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

    /** The identity that a provider's subject is, whoever's account it opens. */
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

    /** All of an account, the first linked first; their number is bounded where they are made. */
    async ofUser(userId: string, run: Knex = query): Promise<LinkedIdentity[]> {
      const rows = await run('linked_identities').select(COLUMNS).where({ user_id: userId }).orderBy('id')
      return rows.map(identityOf)
    },

    /** False when the account has no such identity; codes that hand it over go with it. */
    async delete(trx: Knex.Transaction, userId: string, id: string): Promise<boolean> {
      const own = trx('linked_identities').select('id').where({ id, user_id: userId })
      await trx('sign_in_hand_overs').delete().whereIn('identity_id', own)
      return (await trx('linked_identities').delete().where({ id, user_id: userId })) > 0
    },

    /** All of an account, with the codes that hand them over. */
    async deleteOfUser(trx: Knex.Transaction, userId: string): Promise<void> {
      const own = trx('linked_identities').select('id').where({ user_id: userId })
      await trx('sign_in_hand_overs').delete().whereIn('identity_id', own)
      await trx('linked_identities').delete().where({ user_id: userId })
    },

    /** Stores the hash of a code, and forgets the expired ones. */
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

    /** Takes a code away for good and says whose sign-in it is; null when it is unknown, taken or expired. */
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
