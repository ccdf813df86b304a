import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

/** The purpose of a challenge; it is valid for nothing else. */
export type ChallengePurpose =
  | 'passkey_registration'
  | 'passkey_sign_in'
  | 'passkey_sign_up'
  | 'passkey_elevation'
  | 'siwe'
  | 'oauth'

/** An issued challenge; times are epoch milliseconds. */
export type Challenge = {
  /** The challenge itself, as text: base64url of random bytes, or a nonce. */
  value: string
  purpose: ChallengePurpose
  /** The session it was issued to; null if nobody was signed in. */
  sessionId: string | null
  expiresAt: number
}

export type ChallengeStore = ReturnType<typeof createChallengeStore>

/** Stores challenges until they are answered or expire. */
export function createChallengeStore() {
  return {
    /**
     * Stores a challenge, and deletes expired ones and all but the newest `others` of the session’s others with this
     * purpose.
     */
    async insert(trx: Knex.Transaction, challenge: Challenge, others: number, now: number): Promise<void> {
      const { value, purpose, sessionId, expiresAt } = challenge
      await deleteExpired(trx, 'auth_challenges', now + 1)
      if (sessionId !== null) {
        const kept = await trx('auth_challenges')
          .select({ value: 'value' })
          .where({ purpose, session_id: sessionId })
          .orderBy('expires_at', 'desc')
        const surplus = kept.slice(others).map((row) => row.value)
        if (surplus.length > 0) await trx('auth_challenges').delete().whereIn('value', surplus)
      }
      await trx('auth_challenges').insert({ value, purpose, session_id: sessionId, expires_at: expiresAt })
    },

    /**
     * Consumes a challenge, and returns when it would have expired; null if it is unknown, consumed, expired or has another
     * purpose.
     */
    async take(
      trx: Knex.Transaction,
      { value, purpose, sessionId }: Pick<Challenge, 'value' | 'purpose' | 'sessionId'>,
      now: number,
    ): Promise<number | null> {
      const open = await trx('auth_challenges')
        .select({ expiresAt: 'expires_at' })
        .where({ value, purpose, session_id: sessionId })
        .where('expires_at', '>', now)
        .first()
      if (open === undefined) return null
      return (await trx('auth_challenges').delete().where({ value })) > 0 ? open.expiresAt : null
    },
  }
}
