import { ADMINISTERING_ROLES } from '@svc/core/memberRole.ts'
import type { Knex } from 'knex'

/** The facts about an owner that its agents depend on; times are epoch milliseconds. */
export type OwnerRecord = {
  emailVerifiedAt: number | null
  kydVerifiedAt: number | null
  /** Whether the account has a passkey or a confirmed authenticator app. */
  hasSecondFactor: boolean
  /** Whether an organisation created by the account has an endpoint with a verified domain. */
  hasProvenDomain: boolean
  /** Whether an operator has suspended the owner: the developer, or the organisation itself. */
  isSuspended: boolean
}

/** More than any organisation has. */
const ADMINISTRATORS_MAX = 1_000

export type OwnerFactsStore = ReturnType<typeof createOwnerFactsStore>

/** Reads facts about the people behind owner identifiers. */
export function createOwnerFactsStore(query: Knex) {
  return {
    /** Reads the facts about a developer (`SVCD-`), or about the creator of an organisation (`SVCO-`). */
    async ofOwner(ownerId: string): Promise<OwnerRecord | null> {
      const users = query('users').select({
        suspendedAt: query('interventions').select('decided_at').where({ subject_id: ownerId }),
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
          // A literal, as in the condition of the partial index.
          .whereRaw(`endpoints.tier = 'domain_verified'`)
          .where({ 'endpoints.status': 'active' })
          .whereIn(
            'endpoints.owner_id',
            query('organizations')
              .select('organizations.id')
              .where({ 'organizations.created_by': query.ref('users.id') }),
          ),
      })
      const row = await behind(users, ownerId).first()
      if (!row) return null
      const { passkeyId, totpSince, provenEndpoint, suspendedAt, ...facts } = row
      return {
        ...facts,
        hasSecondFactor: passkeyId !== null || totpSince !== null,
        hasProvenDomain: provenEndpoint !== null,
        isSuspended: suspendedAt !== null,
      }
    },

    /** Reads the user behind a developer’s identifier, or the creator of an organisation; null if there is none. */
    async personBehind(ownerId: string, reader: Knex = query): Promise<string | null> {
      const row = await behind(reader('users').select({ userId: 'users.id' }), ownerId).first()
      return row?.userId ?? null
    },

    /** Reads the users who administer an organisation: its active owners and admins, earliest member first. */
    async administratorsOf(organizationId: string): Promise<string[]> {
      const rows = await query('memberships')
        .select({ userId: 'user_id' })
        .where({ organization_id: organizationId, status: 'active' })
        .whereIn('role', ADMINISTERING_ROLES)
        .orderBy([{ column: 'created_at' }, { column: 'user_id' }])
        .limit(ADMINISTRATORS_MAX)
      return rows.map(({ userId }) => String(userId))
    },

    /**
     * Reads the wallets that the person behind an owner’s identifier has linked, and those that they have unlinked since, in
     * lower case; for an organisation, the accounts that were revoked for it.
     */
    async walletsOf(
      ownerId: string,
      reader: Knex = query,
    ): Promise<{ linked: string[]; unlinked: string[] }> {
      const addressesIn = (table: 'wallets' | 'unlinked_wallets') => {
        const users = reader('users')
          .join(table, `${table}.user_id`, 'users.id')
          .select({ address: `${table}.address` })
        return behind(users, ownerId)
      }
      const revoked = ownerId.startsWith('SVCO-')
        ? reader('revoked_accounts').select({ address: 'address' }).where({ organization_id: ownerId })
        : addressesIn('unlinked_wallets')
      const [linked, unlinked]: { address: string }[][] = await Promise.all([addressesIn('wallets'), revoked])
      const listOf = (rows: { address: string }[] = []) => rows.map(({ address }) => address)
      return { linked: listOf(linked), unlinked: listOf(unlinked) }
    },

    /**
     * Whether somebody who administers an organisation now, as one of its active owners and admins, has linked a wallet.
     *
     * @param address In lower case.
     */
    async isWalletOfAdministrator(
      organizationId: string,
      address: string,
      reader: Knex = query,
    ): Promise<boolean> {
      const row = await reader('wallets')
        .join('memberships', 'memberships.user_id', 'wallets.user_id')
        .select('wallets.address')
        .where({ 'wallets.address': address })
        .where({ 'memberships.organization_id': organizationId, 'memberships.status': 'active' })
        .whereIn('memberships.role', ADMINISTERING_ROLES)
        .first()
      return row !== undefined
    },

    /**
     * Whether any agent, also a retired one, names an address: it signed the registration, or is the `agentWallet`. The
     * agent may hold its key, unlike that of a wallet that was only linked.
     *
     * @param address In lower case. Only whoever has its key can have it named.
     */
    async isNamedByAgent(address: string): Promise<boolean> {
      const [registered, token] = await Promise.all([
        query('agents').select('svc_id').where({ signer_address: address }).first(),
        query('agent_tokens').select('svc_id').whereRaw('LOWER(wallet) = ?', [address]).first(),
      ])
      return registered !== undefined || token !== undefined
    },

    /** Reads for whom a transaction counts: the user behind an owner’s identifier, and whether they are a stranger. */
    async payerBehind(
      trx: Knex.Transaction,
      ownerId: string,
    ): Promise<{ accountId: string | null; strangerId: string | null }> {
      const users = trx('users').select({ userId: 'users.id', kydVerifiedAt: 'users.kyd_verified_at' })
      const row = await behind(users, ownerId).first()
      const accountId = row?.userId ?? null
      return { accountId, strangerId: row?.kydVerifiedAt === null ? accountId : null }
    },

    /**
     * Reads the `SVC-` identifiers of agents whose score depends on this account: its own, and those of organisations it
     * created.
     */
    async agentsOf(userId: string): Promise<string[]> {
      const rows = await query('agents')
        .select({ svcId: 'svc_id' })
        .whereIn('owner_id', query('users').select('developer_id').where({ id: userId }))
        .orWhereIn('owner_id', query('organizations').select('id').where({ created_by: userId }))
      return rows.map(({ svcId }) => String(svcId))
    },
  }
}

/** Of the selected users, the developer of this identifier or the creator of this organisation. */
function behind(users: Knex.QueryBuilder, ownerId: string): Knex.QueryBuilder {
  return ownerId.startsWith('SVCO-')
    ? users
        .join('organizations', 'organizations.created_by', 'users.id')
        .where({ 'organizations.id': ownerId })
    : users.where({ 'users.developer_id': ownerId })
}
