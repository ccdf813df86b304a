import type { Knex } from 'knex'

/** A person who may decide for an owner and has an e-mail address. */
export type OwnerContact = { userId: string; email: string }

export type OwnerContactsStore = ReturnType<typeof createOwnerContactsStore>

/** Roles with write access to an organisation. */
const WRITERS = ['owner', 'admin', 'member']

/** Finds the people to notify about an owner’s resources. */
export function createOwnerContactsStore(query: Knex) {
  return {
    /**
     * Reads the developer (`SVCD-`), or the active members of an organisation (`SVCO-`) with write access. Wallet-only
     * accounts have no address and are omitted.
     */
    async writersOf(ownerId: string, run: Knex = query): Promise<OwnerContact[]> {
      const people = run('users')
        .select({ userId: 'users.id', email: 'users.email' })
        .whereNotNull('users.email')
        .orderBy('users.id')
      return ownerId.startsWith('SVCO-')
        ? people
            .join('memberships', 'memberships.user_id', 'users.id')
            .where({ 'memberships.organization_id': ownerId, 'memberships.status': 'active' })
            .whereIn('memberships.role', WRITERS)
        : people.where({ 'users.developer_id': ownerId })
    },
  }
}
