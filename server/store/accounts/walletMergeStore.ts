import type { Knex } from 'knex'
import { copyUnlinked } from './copyUnlinked.ts'

/** An agent with a new owner. */
export type MovedAgent = { svcId: string; name: string; pdlssHash: string }

export type WalletMergeStore = ReturnType<typeof createWalletMergeStore>

type Account = { userId: string; developerId: string }

/** Merges a wallet's own account into the account that the wallet is linked to. */
export function createWalletMergeStore() {
  return {
    /**
     * Whether an account consists only of one wallet and its agents: no e-mail address, password, verified identity,
     * role, passkey, linked identity, organisation, active API key, endpoint, verification request or other wallet.
     */
    async isWalletOnly(trx: Knex.Transaction, { userId, developerId }: Account): Promise<boolean> {
      const bare = await trx('users')
        .select({ id: 'id' })
        .where({ id: userId, role: 'user' })
        .whereNull('email')
        .whereNull('password_hash')
        .whereNull('kyd_verified_at')
        .first()
      const wallets = await trx('wallets').select({ address: 'address' }).where({ user_id: userId }).limit(2)
      const holdings = [
        trx('passkeys').select({ id: 'id' }).where({ user_id: userId }),
        trx('linked_identities').select({ id: 'id' }).where({ user_id: userId }),
        trx('memberships').select({ id: 'organization_id' }).where({ user_id: userId }),
        trx('organizations').select({ id: 'id' }).where({ created_by: userId }),
        trx('api_keys').select({ id: 'id' }).where({ user_id: userId }).whereNull('revoked_at'),
        trx('endpoints').select({ id: 'id' }).where({ owner_id: developerId }),
        trx('kyd_cases').select({ id: 'id' }).where({ user_id: userId }),
      ]
      for (const holding of holdings) if (await holding.first()) return false
      return bare !== undefined && wallets.length === 1
    },

    /**
     * Stores that an account was merged into another, which then answers for its earlier records. A wallet that was unlinked
     * from it signs for its agents no more than before, unless the other account has linked it.
     */
    async markMerged(
      trx: Knex.Transaction,
      accounts: { from: string; to: string },
      now: number,
    ): Promise<void> {
      await trx('users').update({ merged_into: accounts.to }).where({ id: accounts.from })
      await copyUnlinked(trx, { ...accounts, now })
      await trx('unlinked_wallets').delete().where({ user_id: accounts.from })
    },

    /** Transfers one account's agents to another, and their pending approvals, whose new owner is notified. */
    async moveAgents(
      trx: Knex.Transaction,
      owners: { from: string; to: string },
      now: number,
    ): Promise<MovedAgent[]> {
      const agents = await trx('agents')
        .select({ svcId: 'svc_id', name: 'name', pdlssHash: 'pdlss_hash' })
        .where({ owner_id: owners.from })
      await trx('agents').update({ owner_id: owners.to, updated_at: now }).where({ owner_id: owners.from })
      await trx('step_up_approvals')
        .update({ owner_id: owners.to, announced_at: null })
        .where({ owner_id: owners.from, status: 'pending' })
      return agents
    },
  }
}
