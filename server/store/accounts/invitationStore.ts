import type { MemberRole } from '@svc/core/memberRole.ts'
import type { Knex } from 'knex'

/** An address that is invited into an organisation; times are epoch milliseconds. */
export type Invitation = {
  /** UUIDv7. */
  id: string
  organizationId: string
  /** Lower case; there need not be an account. */
  email: string
  role: MemberRole
  /** Internal id of who offers this role; null of an invitation from before that was kept. */
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

/** Keeps invitations until they are accepted, withdrawn or expire. */
export function createInvitationStore() {
  return {
    /** Stores an invitation in place of the one the address had, and forgets the organisation's expired ones. */
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

    /** Those of an organisation that can be accepted now. */
    async ofOrganization(trx: Knex.Transaction, organizationId: string, now: number): Promise<Invitation[]> {
      return trx('invitations')
        .select(COLUMNS)
        .where({ organization_id: organizationId })
        .where('expires_at', '>', now)
    },

    async byToken(trx: Knex.Transaction, tokenHash: string, now: number): Promise<Invitation | null> {
      const row = await trx('invitations')
        .select(COLUMNS)
        .where({ token_hash: tokenHash })
        .where('expires_at', '>', now)
        .first()
      return row ?? null
    },

    /** Offers another role, on the word of who changes it. */
    async updateRole(
      trx: Knex.Transaction,
      { id, role, invitedBy }: Pick<Invitation, 'id' | 'role' | 'invitedBy'>,
    ): Promise<void> {
      await trx('invitations').update({ role, invited_by: invitedBy }).where({ id })
    },

    /** Ends a member's invitations into an organisation, but those to roles that the member may still give. */
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
