import type { MemberRole } from '@svc/core/memberRole.ts'
import type { Knex } from 'knex'

/** An invitation of an address into an organisation; times are epoch milliseconds. */
export type Invitation = {
  /** UUIDv7. */
  id: string
  organizationId: string
  /** Lower case; an account need not exist. */
  email: string
  role: MemberRole
  /** Internal id of the inviter; null for an invitation older than this column. */
  invitedBy: string | null
  /** SHA-256 of the mailed token, 64 hexadecimal digits. */
  tokenHash: string
  createdAt: number
  expiresAt: number
}

export type InvitationStore = ReturnType<typeof createInvitationStore>

const COLUMNS = {
  id: 'id',
  organizationId: 'organization_id',
  email: 'email',
  role: 'role',
  invitedBy: 'invited_by',
  tokenHash: 'token_hash',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
}

/** Stores invitations until they are accepted, withdrawn or expire. */
export function createInvitationStore() {
  return {
    /** Stores an invitation in place of the address's earlier one, and deletes the organisation's expired ones. */
    async replace(trx: Knex.Transaction, invitation: Invitation): Promise<void> {
      const { organizationId, email } = invitation
      await trx('invitations')
        .delete()
        .where({ organization_id: organizationId })
        .where((old) => old.where({ email }).orWhere('expires_at', '<=', invitation.createdAt))
      await trx('invitations').insert({
        id: invitation.id,
        organization_id: organizationId,
        email,
        role: invitation.role,
        invited_by: invitation.invitedBy,
        token_hash: invitation.tokenHash,
        created_at: invitation.createdAt,
        expires_at: invitation.expiresAt,
      })
    },

    /** Reads an organisation's invitations that can currently be accepted. */
    async ofOrganization(db: Knex, organizationId: string, now: number): Promise<Invitation[]> {
      return db('invitations')
        .select(COLUMNS)
        .where({ organization_id: organizationId })
        .where('expires_at', '>', now)
    },

    async byToken(db: Knex, tokenHash: string, now: number): Promise<Invitation | null> {
      const row = await db('invitations')
        .select(COLUMNS)
        .where({ token_hash: tokenHash })
        .where('expires_at', '>', now)
        .first()
      return row ?? null
    },

    /** Changes the offered role, and records who changed it. */
    async updateRole(
      trx: Knex.Transaction,
      { id, role, invitedBy }: Pick<Invitation, 'id' | 'role' | 'invitedBy'>,
    ): Promise<void> {
      await trx('invitations').update({ role, invited_by: invitedBy }).where({ id })
    },

    /** Deletes a member's invitations into an organisation, except those to roles that the member may still assign. */
    async deleteMadeBy(
      trx: Knex.Transaction,
      maker: { organizationId: string; userId: string },
      mayGive: readonly MemberRole[],
    ): Promise<void> {
      await trx('invitations')
        .delete()
        .where({ organization_id: maker.organizationId, invited_by: maker.userId })
        .whereNotIn('role', [...mayGive])
    },

    async delete(trx: Knex.Transaction, id: string): Promise<void> {
      await trx('invitations').delete().where({ id })
    },
  }
}
