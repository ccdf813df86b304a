import type { CredentialType } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import type { Knex } from 'knex'

/** A third-party credential as stored, without the credential itself; times are epoch milliseconds. */
export type CredentialRow = {
  /** UUIDv7. */
  id: string
  /** `SVC-` identifier. */
  agentId: string
  type: CredentialType
  /** Identifies the credential when it is presented: 64 hexadecimal digits, like `claimKey`. */
  lookupKey: string
  /** Identifies what no two agents may both claim. */
  claimKey: string
  subject: string
  issuer: string | null
  /** The algorithm of the holder’s proof. */
  algorithm: string
  validFrom: number | null
  expiresAt: number | null
  createdAt: number
}

/** The agent that a presented credential identifies, and the credential’s validity. */
export type NamedAgent = Pick<CredentialRow, 'agentId' | 'validFrom' | 'expiresAt'>

const COLUMNS = {
  id: 'id',
  agentId: 'agent_id',
  type: 'type',
  lookupKey: 'lookup_key',
  claimKey: 'claim_key',
  subject: 'subject',
  issuer: 'issuer',
  algorithm: 'algorithm',
  validFrom: 'valid_from',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
} as const satisfies Record<keyof CredentialRow, string>

export type CredentialStore = ReturnType<typeof createCredentialStore>

/** Stores the third-party credentials of agents. */
export function createCredentialStore(query: Knex) {
  return {
    /** Reads an agent’s credentials, oldest first; their number is bounded on creation. */
    async ofAgent(agentId: string, reader: Knex = query): Promise<CredentialRow[]> {
      const rows = await reader('agent_credentials')
        .select(COLUMNS)
        .where({ agent_id: agentId })
        .orderBy('position')
      return rows.map(credentialOf)
    },

    /** Reads the agent that a presented credential identifies. */
    async byLookupKey(lookupKey: string): Promise<NamedAgent | null> {
      const row = await query('agent_credentials').select(COLUMNS).where({ lookup_key: lookupKey }).first()
      if (!row) return null
      const { agentId, validFrom, expiresAt } = credentialOf(row)
      return { agentId, validFrom, expiresAt }
    },

    /** Whether any agent has this credential, by lookup key or by claim key. */
    async isTaken(
      trx: Knex.Transaction,
      { lookupKey, claimKey }: Pick<CredentialRow, 'lookupKey' | 'claimKey'>,
    ): Promise<boolean> {
      const row = await trx('agent_credentials')
        .select({ id: 'id' })
        .where({ lookup_key: lookupKey })
        .orWhere({ claim_key: claimKey })
        .first()
      return row !== undefined
    },

    async insert(trx: Knex.Transaction, credential: CredentialRow): Promise<void> {
      const columns = Object.entries(COLUMNS).map(([field, column]) => [
        column,
        credential[field as keyof CredentialRow],
      ])
      await trx('agent_credentials').insert(Object.fromEntries(columns))
    },

    async remove(trx: Knex.Transaction, id: string): Promise<void> {
      await trx('agent_credentials').where({ id }).delete()
    },

    /** Stores a challenge, and deletes expired ones and all but the newest `others` of the agent’s others. */
    async insertChallenge(
      trx: Knex.Transaction,
      challenge: { hash: string; agentId: string; expiresAt: number },
      { others, now }: { others: number; now: number },
    ): Promise<void> {
      await trx('credential_challenges').where('expires_at', '<=', now).delete()
      const kept = await trx('credential_challenges')
        .select({ hash: 'challenge_hash' })
        .where({ agent_id: challenge.agentId })
        .orderBy('expires_at', 'desc')
      const surplus = kept.slice(others).map((row) => row.hash)
      if (surplus.length > 0) await trx('credential_challenges').whereIn('challenge_hash', surplus).delete()
      await trx('credential_challenges').insert({
        challenge_hash: challenge.hash,
        agent_id: challenge.agentId,
        expires_at: challenge.expiresAt,
      })
    },

    /** Whether the agent has this unanswered challenge. */
    async hasChallenge(hash: string, agentId: string, now: number): Promise<boolean> {
      const row = await query('credential_challenges')
        .select({ hash: 'challenge_hash' })
        .where({ challenge_hash: hash, agent_id: agentId })
        .where('expires_at', '>', now)
        .first()
      return row !== undefined
    },

    /** Consumes a challenge; false if it is unknown, consumed or expired. */
    async takeChallenge(trx: Knex.Transaction, hash: string, agentId: string, now: number): Promise<boolean> {
      const taken = await trx('credential_challenges')
        .where({ challenge_hash: hash, agent_id: agentId })
        .where('expires_at', '>', now)
        .delete()
      return taken > 0
    },
  }
}

function credentialOf(row: Record<keyof CredentialRow, unknown>): CredentialRow {
  const time = (value: unknown) => (value === null ? null : Number(value))
  return {
    ...(row as CredentialRow),
    validFrom: time(row.validFrom),
    expiresAt: time(row.expiresAt),
    createdAt: Number(row.createdAt),
  }
}
