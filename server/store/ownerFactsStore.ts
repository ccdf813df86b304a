import type { Knex } from 'knex'

/** What the trust score asks of an account; times are epoch milliseconds. */
export type OwnerRecord = { emailVerifiedAt: number | null; kydVerifiedAt: number | null }

export type OwnerFactsStore = ReturnType<typeof createOwnerFactsStore>

/** Reads what is known of the people behind owner identifiers. */
export function createOwnerFactsStore(query: Knex) {
  return {
    /** Of a developer (`SVCD-`), or of the one who created an organisation (`SVCO-`). */
    async ofOwner(ownerId: string): Promise<OwnerRecord | null> {
      const users = query('users').select({
        emailVerifiedAt: 'users.email_verified_at',
        kydVerifiedAt: 'users.kyd_verified_at',
      })
      const row = await (ownerId.startsWith('SVCO-')
        ? users
            .join('organizations', 'organizations.created_by', 'users.id')
            .where({ 'organizations.id': ownerId })
            .first()
        : users.where({ developer_id: ownerId }).first())
      return row ?? null
    },
  }
}
