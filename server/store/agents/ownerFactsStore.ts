import type { Knex } from 'knex'

/** What the trust score asks of an account; times are epoch milliseconds. */
export type OwnerRecord = {
  emailVerifiedAt: number | null
  kydVerifiedAt: number | null
  /** They have a passkey, or an authenticator app that signing in asks for. */
  hasSecondFactor: boolean
  /** An organisation of theirs has an endpoint whose domain is proven. */
  hasProvenDomain: boolean
}

export type OwnerFactsStore = ReturnType<typeof createOwnerFactsStore>

/** Reads what is known of the people behind owner identifiers. */
export function createOwnerFactsStore(query: Knex) {
  return {
    /** Of a developer (`SVCD-`), or of the one who created an organisation (`SVCO-`). */
    async ofOwner(ownerId: string): Promise<OwnerRecord | null> {
      const users = query('users').select({
        emailVerifiedAt: 'users.email_verified_at',
        kydVerifiedAt: 'users.kyd_verified_at',
        passkeyId: query('passkeys')
          .min('id')
          .where({ 'passkeys.user_id': query.ref('users.id') }),
        totpSince: query('totp_factors')
          .min('confirmed_at')
          .where({ 'totp_factors.user_id': query.ref('users.id') }),
        provenEndpoint: query('endpoints')
          .min('endpoints.id')
          // Written out, as the index of these has it.
          .whereRaw(`endpoints.tier = 'domain_verified'`)
          .where({ 'endpoints.status': 'active' })
          .whereIn(
            'endpoints.owner_id',
            query('organizations')
              .select('organizations.id')
              .where({ 'organizations.created_by': query.ref('users.id') }),
          ),
      })
      const row = await (ownerId.startsWith('SVCO-')
        ? users
            .join('organizations', 'organizations.created_by', 'users.id')
            .where({ 'organizations.id': ownerId })
            .first()
        : users.where({ developer_id: ownerId }).first())
      if (!row) return null
      const { passkeyId, totpSince, provenEndpoint, ...facts } = row
      return {
        ...facts,
        hasSecondFactor: passkeyId !== null || totpSince !== null,
        hasProvenDomain: provenEndpoint !== null,
      }
    },

    /** The user behind a developer's identifier, or who created an organisation; null when there is none. */
    async personBehind(ownerId: string): Promise<string | null> {
      const row = await (ownerId.startsWith('SVCO-')
        ? query('organizations').select({ userId: 'created_by' }).where({ id: ownerId }).first()
        : query('users').select({ userId: 'id' }).where({ developer_id: ownerId }).first())
      return row?.userId ?? null
    },

    /** `SVC-` identifiers of the agents whose score asks about this account: its own, and those of organisations it made. */
    async agentsOf(userId: string): Promise<string[]> {
      const rows = await query('agents')
        .select({ svcId: 'svc_id' })
        .whereIn('owner_id', query('users').select('developer_id').where({ id: userId }))
        .orWhereIn('owner_id', query('organizations').select('id').where({ created_by: userId }))
      return rows.map(({ svcId }) => String(svcId))
    },
  }
}
