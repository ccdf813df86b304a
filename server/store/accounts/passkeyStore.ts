import type { Knex } from 'knex'

/** One WebAuthn credential of an account; bytes are base64url, times epoch milliseconds. */
export type Passkey = {
  /** UUIDv7. */
  id: string
  userId: string
  credentialId: string
  /** COSE key. Source: RFC 9052 §7. */
  publicKey: string
  /** Of the last assertion; 0 for ever with an authenticator that does not count. */
  counter: number
  transports: string[]
  deviceType: 'singleDevice' | 'multiDevice'
  isBackedUp: boolean
  /** What its owner calls it. */
  name: string
  createdAt: number
  lastUsedAt: number | null
}

export type PasskeyStore = ReturnType<typeof createPasskeyStore>

const COLUMNS = {
  id: 'id',
  userId: 'user_id',
  credentialId: 'credential_id',
  publicKey: 'public_key',
  counter: 'counter',
  transports: 'transports',
  deviceType: 'device_type',
  isBackedUp: 'is_backed_up',
  name: 'name',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
}

/** Keeps passkeys. */
export function createPasskeyStore(query: Knex) {
  return {
    /** False, and nothing is stored, when the credential is known already. */
    async insert(trx: Knex.Transaction, passkey: Passkey): Promise<boolean> {
      const stored = await trx('passkeys')
        .insert({
          id: passkey.id,
          user_id: passkey.userId,
          credential_id: passkey.credentialId,
          public_key: passkey.publicKey,
          counter: passkey.counter,
          transports: JSON.stringify(passkey.transports),
          device_type: passkey.deviceType,
          is_backed_up: passkey.isBackedUp,
          name: passkey.name,
          created_at: passkey.createdAt,
          last_used_at: passkey.lastUsedAt,
        })
        .onConflict('credential_id')
        .ignore()
        .returning('id')
      return stored.length > 0
    },

    async byCredentialId(credentialId: string): Promise<Passkey | null> {
      const row = await query('passkeys').select(COLUMNS).where({ credential_id: credentialId }).first()
      return row ? passkeyOf(row) : null
    },

    /** All of an account, the oldest first; their number is bounded where they are made. */
    async ofUser(userId: string, reader: Knex = query): Promise<Passkey[]> {
      const rows = await reader('passkeys').select(COLUMNS).where({ user_id: userId }).orderBy('id')
      return rows.map(passkeyOf)
    },

    /**
     * Remembers an assertion; false when the passkey is gone or its counter was risen past this one meanwhile.
     *
     * The update itself compares, so of two assertions with one counter, sent at once, one loses.
     */
    async use(
      trx: Knex.Transaction,
      assertion: { id: string; counter: number; isBackedUp: boolean; usedAt: number },
    ): Promise<boolean> {
      const { id, counter, isBackedUp, usedAt } = assertion
      const used = await trx('passkeys')
        .where({ id })
        .where('counter', counter === 0 ? '=' : '<', counter)
        .update({ counter, is_backed_up: isBackedUp, last_used_at: usedAt })
      return used > 0
    },

    /** False when the account has no such passkey. */
    async delete(trx: Knex.Transaction, userId: string, id: string): Promise<boolean> {
      return (await trx('passkeys').where({ id, user_id: userId }).delete()) > 0
    },

    async deleteOfUser(trx: Knex.Transaction, userId: string): Promise<void> {
      await trx('passkeys').delete().where({ user_id: userId })
    },
  }
}

function passkeyOf(row: Record<keyof Passkey, unknown>): Passkey {
  return {
    ...row,
    counter: Number(row.counter),
    transports: JSON.parse(String(row.transports)),
    isBackedUp: Boolean(row.isBackedUp),
    createdAt: Number(row.createdAt),
    lastUsedAt: row.lastUsedAt === null ? null : Number(row.lastUsedAt),
  } as Passkey
}
