import type { Knex } from 'knex'

/** A WebAuthn credential of an account; bytes are base64url, times epoch milliseconds. */
export type Passkey = {
  /** UUIDv7. */
  id: string
  userId: string
  credentialId: string
  /** COSE key. Source: RFC 9052 §7. */
  publicKey: string
  /** Signature counter of the last assertion; always 0 for an authenticator without a counter. */
  counter: number
  transports: string[]
  deviceType: 'singleDevice' | 'multiDevice'
  isBackedUp: boolean
  /**
   * The relying party ID, which is the host it belongs to; null if it was stored by an earlier release and not used since.
   */
  rpId: string | null
  /** Name given by its owner. */
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
  rpId: 'rp_id',
  name: 'name',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
}

const OTHER_HOSTS_MAX = 5

/** Stores passkeys. */
export function createPasskeyStore(query: Knex) {
  return {
    /** False, storing nothing, if the credential is already known. */
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
          rp_id: passkey.rpId,
          name: passkey.name,
          created_at: passkey.createdAt,
          last_used_at: passkey.lastUsedAt,
        })
        .onConflict('credential_id')
        .ignore()
        .returning('id')
      return stored.length > 0
    },

    async byCredentialId(credentialId: string, run: Knex = query): Promise<Passkey | null> {
      const row = await run('passkeys').select(COLUMNS).where({ credential_id: credentialId }).first()
      return row ? passkeyOf(row) : null
    },

    /** Reads all passkeys of an account, oldest first; their number is bounded on creation. */
    async ofUser(userId: string, reader: Knex = query): Promise<Passkey[]> {
      const rows = await reader('passkeys').select(COLUMNS).where({ user_id: userId }).orderBy('id')
      return rows.map(passkeyOf)
    },

    /**
     * Lists other hosts that passkeys belong to, in order and at most five: browsers do not offer such passkeys here.
     *
     * Asks for one host at a time, so that it does not read every passkey.
     */
    async otherHosts(rpId: string): Promise<string[]> {
      const hosts: string[] = []
      let last = ''
      while (hosts.length < OTHER_HOSTS_MAX) {
        const row = await query('passkeys')
          .select({ rpId: 'rp_id' })
          .where('rp_id', '>', last)
          .orderBy('rp_id')
          .first()
        if (row === undefined) break
        last = String(row.rpId)
        if (last !== rpId) hosts.push(last)
      }
      return hosts
    },

    /**
     * Stores an assertion; false if the passkey is gone or its counter has passed this one in the meantime.
     *
     * The update itself compares, so one of two concurrent assertions with the same counter fails.
     */
    async use(
      trx: Knex.Transaction,
      assertion: { id: string; counter: number; isBackedUp: boolean; rpId: string; usedAt: number },
    ): Promise<boolean> {
      const { id, counter, isBackedUp, rpId, usedAt } = assertion
      const used = await trx('passkeys')
        .where({ id })
        .where('counter', counter === 0 ? '=' : '<', counter)
        .update({ counter, is_backed_up: isBackedUp, rp_id: rpId, last_used_at: usedAt })
      return used > 0
    },

    /** Deletes a passkey; false if the account has no such passkey. */
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
