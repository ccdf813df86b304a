import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

export type NonceStore = ReturnType<typeof createNonceStore>

/** Stores the nonces that a signing key has used, for as long as a request with them could be fresh. */
export function createNonceStore() {
  return {
    /**
     * Consumes a nonce; false if it was consumed before. The insert itself decides, so exactly one of two concurrent
     * requests succeeds. Expired nonces are deleted as well.
     */
    async take(
      trx: Knex,
      nonce: { address: string; nonce: string; expiresAt: number },
      now: number,
    ): Promise<boolean> {
      await deleteExpired(trx, 'request_nonces', now)
      const taken = await trx('request_nonces')
        .insert({ address: nonce.address.toLowerCase(), nonce: nonce.nonce, expires_at: nonce.expiresAt })
        .onConflict(['address', 'nonce'])
        .ignore()
        .returning('nonce')
      return taken.length > 0
    },
  }
}
