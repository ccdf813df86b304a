import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

/** What a mailed token opens; it opens nothing else. */
export type MailedTokenPurpose = 'verify_email' | 'reset_password'

type MailedToken = {
  /** SHA-256 of the token, 64 hexadecimal digits. */
  tokenHash: string
  purpose: MailedTokenPurpose
  /** Lower case; there need not be an account. */
  email: string
  /** Epoch milliseconds. */
  expiresAt: number
}

type TokenName = Pick<MailedToken, 'tokenHash' | 'purpose'>

export type MailedTokenStore = ReturnType<typeof createMailedTokenStore>

/** Keeps tokens that were mailed, by their hash, until they are used, replaced or expire. */
export function createMailedTokenStore() {
  return {
    /** Stores a token in place of the one the address had for this purpose, and forgets the expired ones. */
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

    /** Ends the token that an address has for a purpose. */
    async withdraw(trx: Knex.Transaction, purpose: MailedTokenPurpose, email: string): Promise<void> {
      await trx('mailed_tokens').delete().where({ purpose, email })
    },

    /** Takes a token away for good and says whose it was; null when it is unknown, used, replaced or expired. */
    async take(trx: Knex.Transaction, token: TokenName, now: number): Promise<string | null> {
      const email = await addressOf(trx, token, now)
      if (email === null) return null
      const taken = await trx('mailed_tokens').delete().where({ token_hash: token.tokenHash })
      return taken > 0 ? email : null
    },
  }
}

/** The address of a token that is good for the purpose now; it stays good. */
async function addressOf(trx: Knex.Transaction, token: TokenName, now: number): Promise<string | null> {
  const row = await trx('mailed_tokens')
    .select({ email: 'email' })
    .where({ token_hash: token.tokenHash, purpose: token.purpose })
    .where('expires_at', '>', now)
    .first()
  return row?.email ?? null
}
