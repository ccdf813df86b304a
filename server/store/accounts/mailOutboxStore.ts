import type { Knex } from 'knex'

/** A mail to be sent; times in epoch milliseconds. */
export type NewMail = {
  /** Identifies the mail, so that a repeated request sends it once. */
  key: string
  recipient: string
  template: string
  data: object
  now: number
  /** When the mail becomes useless to its reader; null if never. */
  expiresAt: number | null
}

/** A mail claimed for sending. */
export type ClaimedMail = {
  id: number
  key: string
  recipient: string
  template: string
  data: unknown
  /** Number of attempts, including this one. */
  attempts: number
  expiresAt: number | null
}

export type MailOutboxStore = ReturnType<typeof createMailOutboxStore>

/**
 * The durable outbox of mails: a row is written in the transaction it reports on, claimed by one UPDATE, and settled once.
 *
 * An expired claim can be taken again, so a mail is sent at least once.
 */
export function createMailOutboxStore() {
  return {
    /** Requests a mail; an existing key is a no-op. */
    async add(trx: Knex.Transaction, mail: NewMail): Promise<void> {
      await trx('mail_outbox')
        .insert({
          message_key: mail.key,
          recipient: mail.recipient,
          template: mail.template,
          data: JSON.stringify(mail.data),
          status: 'queued',
          attempts: 0,
          next_attempt_at: mail.now,
          expires_at: mail.expiresAt,
          created_at: mail.now,
        })
        .onConflict('message_key')
        .ignore()
    },

    /** Claims the mails of some templates that are due, oldest first; skips those that another process has claimed. */
    async claim(
      trx: Knex.Transaction,
      {
        now,
        until,
        limit,
        templates,
      }: { now: number; until: number; limit: number; templates: readonly string[] },
    ): Promise<ClaimedMail[]> {
      const due = (rows: Knex.QueryBuilder) =>
        rows
          .where({ status: 'queued' })
          .whereIn('template', [...templates])
          .where('next_attempt_at', '<=', now)
          .where((free) => free.whereNull('claimed_until').orWhere('claimed_until', '<=', now))
      const next = due(trx('mail_outbox').select('id'))
        .orderBy([{ column: 'next_attempt_at' }, { column: 'id' }])
        .limit(limit)
      const rows = await due(trx('mail_outbox').whereIn('id', next))
        .update({ claimed_until: until, attempts: trx.raw('attempts + 1') })
        .returning(['id', 'message_key', 'recipient', 'template', 'data', 'attempts', 'expires_at'])
      return rows.map(toClaimedMail).sort((a, b) => a.id - b.id)
    },

    /** Settles a mail as sent, or failed with a reason. Its parameters are deleted, since they may contain a token. */
    async settle(
      trx: Knex.Transaction,
      id: number,
      outcome: { status: 'sent' | 'failed'; error: string | null; now: number },
    ): Promise<void> {
      await trx('mail_outbox').where({ id }).update({
        status: outcome.status,
        data: '{}',
        last_error: outcome.error,
        claimed_until: null,
        settled_at: outcome.now,
      })
    },

    /** Returns a claimed mail for a later attempt. */
    async retryAt(
      trx: Knex.Transaction,
      id: number,
      retry: { nextAttemptAt: number; error: string },
    ): Promise<void> {
      await trx('mail_outbox')
        .where({ id })
        .update({ next_attempt_at: retry.nextAttemptAt, last_error: retry.error, claimed_until: null })
    },
  }
}

function toClaimedMail(row: Record<string, unknown>): ClaimedMail {
  return {
    id: Number(row.id),
    key: String(row.message_key),
    recipient: String(row.recipient),
    template: String(row.template),
    data: JSON.parse(String(row.data)),
    attempts: Number(row.attempts),
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
  }
}
