import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

/** The purpose of a mailed token; it is valid for nothing else. */
export type MailedTokenPurpose = 'verify_email' | 'reset_password'

type MailedToken = {
  /** SHA-256 of the token, 64 hexadecimal digits. */
  tokenHash: string
  purpose: MailedTokenPurpose
  /** Lower case; an account need not exist. */
  email: string
  /** Epoch milliseconds. */
  expiresAt: number
}

type TokenName = Pick<MailedToken, 'tokenHash' | 'purpose'>

export type MailedTokenStore = ReturnType<typeof createMailedTokenStore>

/** Stores mailed tokens by their hash until they are used, replaced or expire. */
export function createMailedTokenStore() {
  return {
    /** Stores a token in place of the address's earlier one with the same purpose, and deletes expired ones. */
    async replace(trx: Knex.Transaction, token: MailedToken, now: number): Promise<void> {
      await deleteExpired(trx, 'mailed_tokens', now + 1)
      await trx('mailed_tokens')
        .insert({
          token_hash: token.tokenHash,
          purpose: token.purpose,
          email: token.email,
          expires_at: token.expiresAt,
        })
        .onConflict(['purpose', 'email'])
        .merge()
    },

    addressOf,

    /** Deletes an address's token with the given purpose. */
    async withdraw(trx: Knex.Transaction, purpose: MailedTokenPurpose, email: string): Promise<void> {
      await trx('mailed_tokens').delete().where({ purpose, email })
    },

    /** Consumes a token and returns its address; null if it is unknown, used, replaced or expired. */
    async take(trx: Knex.Transaction, token: TokenName, now: number): Promise<string | null> {
      const email = await addressOf(trx, token, now)
      if (email === null) return null
      const taken = await trx('mailed_tokens').delete().where({ token_hash: token.tokenHash })
      return taken > 0 ? email : null
    },
  }
}

/** Returns the address of a currently valid token without consuming it. */
async function addressOf(trx: Knex.Transaction, token: TokenName, now: number): Promise<string | null> {
  const row = await trx('mailed_tokens')
    .select({ email: 'email' })
    .where({ token_hash: token.tokenHash, purpose: token.purpose })
    .where('expires_at', '>', now)
    .first()
  return row?.email ?? null
}
