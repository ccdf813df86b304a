import type { Knex } from 'knex'

/** A key that succeeds the one in the data folder; times in epoch milliseconds. */
export type StoredSigningKey = {
  /** JWK thumbprint. */
  kid: string
  purpose: string
  /** The private key as a JWK, sealed. */
  sealed: string
  signsFrom: number
  /** Until when the key before it stays published; if that is no later than `signsFrom`, all before it end with it. */
  formerUntil: number
}

export type SigningKeyStore = ReturnType<typeof createSigningKeyStore>

/** Stores the keys that sign for the registry after the first one of each purpose. */
export function createSigningKeyStore(query: Knex) {
  return {
    /** Reads the keys of all purposes, oldest first. */
    async list(run: Knex = query): Promise<StoredSigningKey[]> {
      const rows = await run('signing_keys')
        .select({
          kid: 'kid',
          purpose: 'purpose',
          sealed: 'sealed',
          signsFrom: 'signs_from',
          formerUntil: 'former_until',
        })
        .orderBy('signs_from')
      return rows.map((row) => ({
        ...row,
        signsFrom: Number(row.signsFrom),
        formerUntil: Number(row.formerUntil),
      }))
    },

    async insert(trx: Knex.Transaction, key: StoredSigningKey): Promise<void> {
      const { kid, purpose, sealed, signsFrom, formerUntil } = key
      await trx('signing_keys').insert({
        ...{ kid, purpose, sealed },
        signs_from: signsFrom,
        former_until: formerUntil,
      })
    },

    /** Sets until when the key before this one stays published. */
    async setFormerUntil(trx: Knex.Transaction, kid: string, formerUntil: number): Promise<void> {
      await trx('signing_keys').where({ kid }).update({ former_until: formerUntil })
    },

    async remove(trx: Knex.Transaction, kid: string): Promise<void> {
      await trx('signing_keys').where({ kid }).delete()
    },
  }
}
