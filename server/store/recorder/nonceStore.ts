import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

export type NonceStore = ReturnType<typeof createNonceStore>

/** Keeps which nonces a signing key has used, until no request with them could be fresh any more. */
export function createNonceStore() {
  return {
    /**
     * Takes a nonce for good; false when it was taken before. The insert itself decides, so of two requests at
     * once one loses. Nonces that have expired are forgotten on the way.
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
