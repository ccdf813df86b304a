import { ADMINISTERING_ROLES, WRITING_ROLES } from '@svc/core/memberRole.ts'
import type { Knex } from 'knex'

/** A person who may decide for an owner and has an e-mail address. */
export type OwnerContact = { userId: string; email: string }

export type OwnerContactsStore = ReturnType<typeof createOwnerContactsStore>

/** Finds the people to notify about an owner’s resources. */
export function createOwnerContactsStore(query: Knex) {
  return {
    /**
     * Reads the developer (`SVCD-`), or the active members of an organisation (`SVCO-`) with write access. Wallet-only
     * accounts have no address and are omitted, and so are those that cannot act: suspended ones, and all members of a
     * suspended organisation.
     */
    async writersOf(ownerId: string, run: Knex = query): Promise<OwnerContact[]> {
      return ableWriters(run, ownerId).whereNotNull('users.email')
    },

    /** Reads the same people, with those who have no address. */
    async writerIdsOf(ownerId: string, run: Knex = query): Promise<string[]> {
      const people: OwnerContact[] = await ableWriters(run, ownerId)
      return people.map(({ userId }) => userId)
    },

    /**
     * Reads whom to notify of what an operator does: the developer, or the active owners and admins of an organisation,
     * suspended or not.
     */
    managersOf: (ownerId: string, run: Knex = query): Promise<OwnerContact[]> =>
      Promise.resolve(peopleBehind(run, ownerId, ADMINISTERING_ROLES).whereNotNull('users.email')),
  }
}

function ableWriters(run: Knex, ownerId: string): Knex.QueryBuilder {
  return peopleBehind(run, ownerId, WRITING_ROLES).whereNotExists(
    run('interventions')
      .select('subject_id')
      .where((suspended) =>
        suspended.where({ subject_id: ownerId }).orWhere({ subject_id: run.ref('users.developer_id') }),
      ),
  )
}

function peopleBehind(run: Knex, ownerId: string, roles: readonly string[]): Knex.QueryBuilder {
  const people = run('users').select({ userId: 'users.id', email: 'users.email' }).orderBy('users.id')
  return ownerId.startsWith('SVCO-')
    ? people
        .join('memberships', 'memberships.user_id', 'users.id')
        .where({ 'memberships.organization_id': ownerId, 'memberships.status': 'active' })
        .whereIn('memberships.role', roles)
    : people.where({ 'users.developer_id': ownerId })
}
