import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

/** A sign-in that awaits its second factor; times are epoch milliseconds. */
export type InterimSignIn = {
  /** SHA-256 of the interim token, 64 hexadecimal digits. */
  tokenHash: string
  userId: string
  /** How the first factor was verified. Source: RFC 8176. */
  amr: string[]
  expiresAt: number
}

export type InterimSignInStore = ReturnType<typeof createInterimSignInStore>

/** Stores sign-ins that await a code, by the hash of their token. */
export function createInterimSignInStore() {
  return {
    /** Stores one and deletes expired ones. */
    async insert(trx: Knex.Transaction, signIn: InterimSignIn, now: number): Promise<void> {
      await deleteExpired(trx, 'interim_sign_ins', now + 1)
      await trx('interim_sign_ins').insert({
        token_hash: signIn.tokenHash,
        user_id: signIn.userId,
        amr: JSON.stringify(signIn.amr),
        tries: 0,
        expires_at: signIn.expiresAt,
      })
    },

    /** Uses one attempt; null if it is unknown, expired or out of its `most` attempts. */
    async takeTry(
      trx: Knex.Transaction,
      tokenHash: string,
      most: number,
      now: number,
    ): Promise<InterimSignIn | null> {
      const [row] = await trx('interim_sign_ins')
        .update({ tries: trx.raw('tries + 1') })
        .where({ token_hash: tokenHash })
        .where('tries', '<', most)
        .where('expires_at', '>', now)
        .returning(['user_id', 'amr', 'expires_at'])
      if (!row) return null
      return { tokenHash, userId: row.user_id, amr: JSON.parse(row.amr), expiresAt: row.expires_at }
    },

    async delete(trx: Knex.Transaction, tokenHash: string): Promise<void> {
      await trx('interim_sign_ins').delete().where({ token_hash: tokenHash })
    },

    /** Deletes an account's pending sign-ins, because its credentials have changed. */
    async deleteOfUser(trx: Knex.Transaction, userId: string): Promise<void> {
      await trx('interim_sign_ins').delete().where({ user_id: userId })
    },
  }
}
