import type { Knex } from 'knex'

/** Metadata of a refresh token, without the token; times are epoch milliseconds. */
export type RefreshToken = {
  /** SHA-256 of the token, 64 hexadecimal digits. */
  tokenHash: string
  sessionId: string
  createdAt: number
  expiresAt: number
  usedAt: number | null
  /** The hash of the token that was exchanged for this one, and this one masked with it; null for a session's first. */
  exchange: { predecessorHash: string; masked: string } | null
}

/** A token that replaced another; `masked` is null once it has been used itself. */
export type Successor = { masked: string | null; createdAt: number }

export type RefreshTokenStore = ReturnType<typeof createRefreshTokenStore>

/** Stores refresh tokens by their hash; a used one remains, so that reuse is detected. */
export function createRefreshTokenStore() {
  return {
    async insert(trx: Knex.Transaction, token: RefreshToken): Promise<void> {
      await trx('refresh_tokens').insert({
        token_hash: token.tokenHash,
        session_id: token.sessionId,
        created_at: token.createdAt,
        expires_at: token.expiresAt,
        used_at: token.usedAt,
        predecessor_hash: token.exchange?.predecessorHash ?? null,
        masked: token.exchange?.masked ?? null,
      })
    },

    async byHash(trx: Knex.Transaction, tokenHash: string): Promise<Omit<RefreshToken, 'exchange'> | null> {
      const row = await trx('refresh_tokens')
        .select({
          tokenHash: 'token_hash',
          sessionId: 'session_id',
          createdAt: 'created_at',
          expiresAt: 'expires_at',
          usedAt: 'used_at',
        })
        .where({ token_hash: tokenHash })
        .first()
      return row ?? null
    },

    /** Reads the token that replaced a given one. */
    async successorOf(trx: Knex.Transaction, tokenHash: string): Promise<Successor | null> {
      const row = await trx('refresh_tokens')
        .select({ masked: 'masked', createdAt: 'created_at' })
        .where({ predecessor_hash: tokenHash })
        .first()
      return row ?? null
    },

    /** Marks the token as used, after which it cannot be recovered from its predecessor; false if it was already used. */
    async use(trx: Knex.Transaction, tokenHash: string, usedAt: number): Promise<boolean> {
      const used = await trx('refresh_tokens')
        .update({ used_at: usedAt, masked: null })
        .where({ token_hash: tokenHash })
        .whereNull('used_at')
      return used > 0
    },
  }
}
