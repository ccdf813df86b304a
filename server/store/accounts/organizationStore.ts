import type { MemberRole } from '@svc/core/memberRole.ts'
import type { Knex } from 'knex'

type MemberStatus = 'invited' | 'active' | 'suspended'

export type Organization = {
  /** `SVCO-…`. */
  id: string
  name: string
  /** Internal id of the user. */
  createdBy: string
  /** Epoch milliseconds. */
  createdAt: number
}

export type Membership = {
  organizationId: string
  userId: string
  role: MemberRole
  status: MemberStatus
  /** Epoch milliseconds. */
  createdAt: number
}

/** A membership with the creator of its organisation. */
type OwnMembership = Membership & Pick<Organization, 'createdBy'>

/** A membership with its user. */
export type Member = Membership & { email: string | null; fullName: string | null }

/** An organisation as one of its members sees it. */
export type MemberOrganization = Organization & {
  role: MemberRole
  status: MemberStatus
  /** Whether an operator has suspended the organisation. */
  isSuspended: boolean
}

type Joined = Omit<MemberOrganization, 'isSuspended'> & { joinedAt: number }

export type OrganizationStore = ReturnType<typeof createOrganizationStore>

const MEMBERSHIP = {
  organizationId: 'memberships.organization_id',
  userId: 'memberships.user_id',
  role: 'memberships.role',
  status: 'memberships.status',
  createdAt: 'memberships.created_at',
}

/** Stores organisations and their memberships. */
export function createOrganizationStore(query: Knex) {
  return {
    async insert(trx: Knex.Transaction, organization: Organization): Promise<void> {
      await trx('organizations').insert({
        id: organization.id,
        name: organization.name,
        created_by: organization.createdBy,
        created_at: organization.createdAt,
      })
    },

    /** Returns false, changing nothing, if the user is already in the organisation. */
    async insertMembership(trx: Knex.Transaction, membership: Membership): Promise<boolean> {
      const stored = await trx('memberships')
        .insert({
          organization_id: membership.organizationId,
          user_id: membership.userId,
          role: membership.role,
          status: membership.status,
          created_at: membership.createdAt,
        })
        .onConflict(['organization_id', 'user_id'])
        .ignore()
        .returning('user_id')
      return stored.length > 0
    },

    async updateMembership(trx: Knex.Transaction, membership: Membership): Promise<void> {
      await trx('memberships')
        .update({ role: membership.role, status: membership.status })
        .where({ organization_id: membership.organizationId, user_id: membership.userId })
    },

    async deleteMembership(trx: Knex.Transaction, organizationId: string, userId: string): Promise<void> {
      await trx('memberships').delete().where({ organization_id: organizationId, user_id: userId })
    },

    async byId(db: Knex, id: string): Promise<Organization | null> {
      const row = await db('organizations')
        .select({ id: 'id', name: 'name', createdBy: 'created_by', createdAt: 'created_at' })
        .where({ id })
        .first()
      return row ?? null
    },

    /** Reads all members, so that a rule about the others (the last owner stays) is checked in the same transaction. */
    async members(db: Knex, organizationId: string): Promise<Member[]> {
      return db('memberships')
        .join('users', 'users.id', 'memberships.user_id')
        .select({ ...MEMBERSHIP, email: 'users.email', fullName: 'users.full_name' })
        .where({ 'memberships.organization_id': organizationId })
    },

    /** Reads the user's memberships; pass as `run` the transaction of the decision and its write. */
    async membershipsOf(userId: string, run: Knex = query): Promise<OwnMembership[]> {
      return run('memberships')
        .join('organizations', 'organizations.id', 'memberships.organization_id')
        .select({ ...MEMBERSHIP, createdBy: 'organizations.created_by' })
        .where({ 'memberships.user_id': userId })
    },

    /** Reads the user's organisations, and those that invite the user's verified address, newest first. */
    async ofUser(
      userId: string,
      page: { now: number; before: { at: number; id: string } | null; limit: number },
    ): Promise<(MemberOrganization & { joinedAt: number })[]> {
      const joined = ['organization_id', 'role', 'status', 'created_at']
      const standings = query('memberships')
        .select(joined)
        .where({ user_id: userId })
        .unionAll(
          query('invitations')
            .join('users', 'users.email', 'invitations.email')
            .select(
              'invitations.organization_id',
              'invitations.role',
              query.raw(`'invited' AS status`),
              'invitations.created_at',
            )
            .where({ 'users.id': userId })
            .whereNotNull('users.email_verified_at')
            .where('invitations.expires_at', '>', page.now),
        )
      const rows = await query(standings.as('standings'))
        .join('organizations', 'organizations.id', 'standings.organization_id')
        .leftJoin('interventions', 'interventions.subject_id', 'organizations.id')
        .select({
          id: 'organizations.id',
          name: 'organizations.name',
          createdBy: 'organizations.created_by',
          createdAt: 'organizations.created_at',
          role: 'standings.role',
          status: 'standings.status',
          joinedAt: 'standings.created_at',
          suspendedAt: 'interventions.decided_at',
        })
        .modify((organizations) => {
          if (page.before === null) return
          const { at, id } = page.before
          organizations.whereRaw('(standings.created_at, organizations.id) < (?, ?)', [at, id])
        })
        .orderBy([
          { column: 'standings.created_at', order: 'desc' },
          { column: 'organizations.id', order: 'desc' },
        ])
        .limit(page.limit)
      return rows.map(({ suspendedAt, ...row }: Joined & { suspendedAt: number | null }) => ({
        ...row,
        isSuspended: suspendedAt !== null,
      }))
    },
  }
}
