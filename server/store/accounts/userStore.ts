import type { Knex } from 'knex'
import { addSigningRevocations, liftRevocations, revokeForOrganization } from './signingRevocations.ts'

/** An account; times are epoch milliseconds. */
export type User = {
  /** UUIDv7. */
  id: string
  /** `SVCD-…`. */
  developerId: string
  /** Lower case; null for a wallet-only account. */
  email: string | null
  /** When the address was verified; null if it was not. */
  emailVerifiedAt: number | null
  fullName: string | null
  accountType: 'individual' | 'business'
  role: 'user' | 'operator'
  kydVerifiedAt: number | null
  createdAt: number
}

export type UserStore = ReturnType<typeof createUserStore>

const COLUMNS = {
  id: 'users.id',
  developerId: 'users.developer_id',
  email: 'users.email',
  emailVerifiedAt: 'users.email_verified_at',
  fullName: 'users.full_name',
  accountType: 'users.account_type',
  role: 'users.role',
  kydVerifiedAt: 'users.kyd_verified_at',
  createdAt: 'users.created_at',
}

/**
 * Stores accounts and the signing keys that open them. Addresses are stored in lower case.
 *
 * A wallet that is unlinked from an account stays noted until it is linked again: it must not sign for agents that it
 * registered. For a while, decisions look that up themselves, because another process may learn of it only
 * milliseconds later.
 */
export function createUserStore(query: Knex) {
  const addUnlinked = async (
    trx: Knex.Transaction,
    wallets: { user_id: string; address: string }[],
    now: number,
  ) => {
    await trx('unlinked_wallets').insert(wallets).onConflict(['user_id', 'address']).ignore()
    await addSigningRevocations(trx, wallets, now)
  }
  /** Deletes wallets, and notes that they are unlinked. */
  const unlink = async (
    trx: Knex.Transaction,
    wallets: { user_id: string; address?: string },
    now: number,
  ) => {
    const removed = await trx('wallets').select(['user_id', 'address']).where(wallets)
    if (removed.length === 0) return
    await trx('wallets').delete().where(wallets)
    await addUnlinked(trx, removed, now)
  }
  const noteLinked = (
    trx: Knex.Transaction,
    userId: string,
    { address, forOrganizations = false }: { address: string; forOrganizations?: boolean | undefined },
  ) => liftRevocations(trx, { user_id: userId, address: address.toLowerCase() }, forOrganizations)
  return {
    /** Returns false, storing nothing, if the e-mail address is taken. */
    async insert(trx: Knex.Transaction, user: User, passwordHash: string | null): Promise<boolean> {
      const stored = await trx('users')
        .insert({
          id: user.id,
          developer_id: user.developerId,
          email: user.email,
          email_verified_at: user.emailVerifiedAt,
          password_hash: passwordHash,
          full_name: user.fullName,
          account_type: user.accountType,
          role: user.role,
          kyd_verified_at: user.kydVerifiedAt,
          created_at: user.createdAt,
        })
        .onConflict('email')
        .ignore()
        .returning('id')
      return stored.length > 0
    },

    async byId(id: string, run: Knex = query): Promise<User | null> {
      return (await run('users').select(COLUMNS).where({ id }).first()) ?? null
    },

    async byEmail(email: string, run: Knex = query): Promise<User | null> {
      return (await run('users').select(COLUMNS).where({ email }).first()) ?? null
    },

    /** Reads an account by its `SVCD-` identifier or UUID. */
    async byAnyId(id: string, run: Knex = query): Promise<User | null> {
      const found = id.startsWith('SVCD-') ? { developer_id: id } : { id: id.toLowerCase() }
      return (await run('users').select(COLUMNS).where(found).first()) ?? null
    },

    /** Whether there is an operator besides this account who is not suspended. */
    async hasOtherOperator(trx: Knex.Transaction, userId: string): Promise<boolean> {
      const row = await trx('users')
        .select('users.id')
        .leftJoin('interventions', 'interventions.subject_id', 'users.developer_id')
        // A literal, as in the condition of the partial index.
        .whereRaw(`users.role = 'operator'`)
        .whereNot('users.id', userId)
        .whereNull('interventions.subject_id')
        .first()
      return row !== undefined
    },

    /** Reads the account of a session, also of one that has ended. */
    async ofSession(trx: Knex.Transaction, sessionId: string): Promise<User | null> {
      const row = await trx('sessions')
        .join('users', 'users.id', 'sessions.user_id')
        .select(COLUMNS)
        .where('sessions.id', sessionId)
        .first()
      return row ?? null
    },

    /** Reads an account with its password hash; null if there is no such account. */
    async withPassword(email: string): Promise<{ user: User; passwordHash: string | null } | null> {
      const row = await query('users')
        .select({ ...COLUMNS, passwordHash: 'password_hash' })
        .where({ email })
        .first()
      if (!row) return null
      const { passwordHash, ...user } = row
      return { user, passwordHash }
    },

    /** Reads the account's password hash; null if it has none. */
    async passwordHashOf(userId: string, run: Knex = query): Promise<string | null> {
      const row = await run('users').select({ passwordHash: 'password_hash' }).where({ id: userId }).first()
      return row?.passwordHash ?? null
    },

    async makeOperator(trx: Knex.Transaction, userId: string): Promise<void> {
      await trx('users').update({ role: 'operator' }).where({ id: userId })
    },

    async setPasswordHash(trx: Knex.Transaction, userId: string, passwordHash: string): Promise<void> {
      await trx('users').update({ password_hash: passwordHash }).where({ id: userId })
    },

    /** Marks an address as verified and returns its account; null if nobody has it or it was verified before. */
    async verifyEmail(trx: Knex.Transaction, email: string, verifiedAt: number): Promise<string | null> {
      const [verified] = await trx('users')
        .update({ email_verified_at: verifiedAt })
        .where({ email })
        .whereNull('email_verified_at')
        .returning('id')
      return verified?.id ?? null
    },

    async byWallet(trx: Knex.Transaction, address: string): Promise<User | null> {
      const row = await trx('wallets')
        .join('users', 'users.id', 'wallets.user_id')
        .select(COLUMNS)
        .where('wallets.address', address.toLowerCase())
        .first()
      return row ?? null
    },

    /**
     * Links a wallet, which then signs again for the user’s agents if it was revoked.
     *
     * @param wallet.forOrganizations Whether it does so for agents of organisations to which the user may add keys, too.
     * @returns The users who created these organisations.
     */
    async insertWallet(
      trx: Knex.Transaction,
      wallet: { address: string; userId: string; createdAt: number; forOrganizations?: boolean },
    ): Promise<string[]> {
      await trx('wallets').insert({
        address: wallet.address.toLowerCase(),
        user_id: wallet.userId,
        created_at: wallet.createdAt,
      })
      return noteLinked(trx, wallet.userId, wallet)
    },

    /** Links the wallet of another account, as `insertWallet`. */
    async moveWallet(
      trx: Knex.Transaction,
      userId: string,
      wallet: { address: string; forOrganizations: boolean },
    ): Promise<string[]> {
      await trx('wallets').update({ user_id: userId }).where({ address: wallet.address.toLowerCase() })
      return noteLinked(trx, userId, wallet)
    },

    async deleteWallet(
      trx: Knex.Transaction,
      userId: string,
      { address, now }: { address: string; now: number },
    ): Promise<void> {
      await unlink(trx, { user_id: userId, address: address.toLowerCase() }, now)
    },

    /** Notes an account as unlinked that was never a wallet of the user, in upper or lower case. */
    async noteUnlinked(
      trx: Knex.Transaction,
      userId: string,
      { address, now }: { address: string; now: number },
    ): Promise<void> {
      await addUnlinked(trx, [{ user_id: userId, address: address.toLowerCase() }], now)
    },

    /** Notes an account, in upper or lower case, that signs for no agent of an organisation. */
    async revokeForOrganization(
      trx: Knex.Transaction,
      organizationId: string,
      { address, now }: { address: string; now: number },
    ): Promise<void> {
      await revokeForOrganization(trx, { organizationId, addresses: [address.toLowerCase()], now })
    },

    /** Removes all wallets from an account; each counts as new when it is used again. */
    async deleteWalletsOf(trx: Knex.Transaction, userId: string, now: number): Promise<void> {
      await unlink(trx, { user_id: userId }, now)
    },

    /** Reads the wallets that sign in to an account, in linking order and lower case. */
    async addressesOf(userId: string, run: Knex = query): Promise<string[]> {
      const rows = await run('wallets')
        .select({ address: 'address' })
        .where({ user_id: userId })
        .orderBy([{ column: 'created_at' }, { column: 'address' }])
      return rows.map(({ address }) => String(address))
    },
  }
}
