import type { Knex } from 'knex'

/** A person who may decide for an owner, as far as they can be written to. */
export type OwnerContact = { userId: string; email: string }

export type OwnerContactsStore = ReturnType<typeof createOwnerContactsStore>

/** Roles that may write for an organisation. */
const WRITERS = ['owner', 'admin', 'member']

/** Finds whom to write to about what an owner identifier owns. */
export function createOwnerContactsStore(query: Knex) {
  return {
    /**
     * Of a developer (`SVCD-`) the person itself, of an organisation (`SVCO-`) its active members who may write for it;
     * accounts that only a wallet opens have no address and are left out.
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
