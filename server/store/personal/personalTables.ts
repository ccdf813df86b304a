import type { Knex } from 'knex'
import type { Person } from './person.ts'

/** What happens to a person's rows of one table. */
export type PersonalTable = {
  /** The person's rows. */
  rows(run: Knex, person: Person): Knex.QueryBuilder
  /** When an erasure deletes the rows, or what happens to them instead. */
  erased: 'with the identity' | 'with the rows' | { instead: string }
}

type Rows = PersonalTable['rows']

const ofUser =
  (table: string, column = 'user_id'): Rows =>
  (run, { userId }) =>
    run(table).where({ [column]: userId })
const ofOwner =
  (table: string, column = 'owner_id'): Rows =>
  (run, { ownerIds }) =>
    run(table).whereIn(column, [...ownerIds])
const ofAgent =
  (table: string): Rows =>
  (run, { ownerIds }) =>
    run(table).whereIn(
      'agent_id',
      run('agents')
        .select('svc_id')
        .whereIn('owner_id', [...ownerIds]),
    )
const ofEndpoint =
  (table: string): Rows =>
  (run, { ownerIds }) =>
    run(table).whereIn(
      'endpoint_id',
      run('endpoints')
        .select('id')
        .whereIn('owner_id', [...ownerIds]),
    )
/** Rows that belong to rows of another table of the account. */
const below =
  (table: string, column: string, parent: string): Rows =>
  (run, { userId }) =>
    run(table).whereIn(column, run(parent).select('id').where({ user_id: userId }))
const ofAddress =
  (table: string, column: string): Rows =>
  (run, { email }) =>
    run(table).where({ [column]: email ?? '' })

/**
 * Every table with rows of a person, in an order in which they can be deleted, with what an erasure does;
 * `EXPORTED_TABLES` says what an export does.
 *
 * A test compares the list with the tables of the database, so that a new table cannot be forgotten. Source:
 * docs/decisions/0104.
 */
export const PERSONAL_TABLES = {
  data_export_parts: {
    rows: below('data_export_parts', 'export_id', 'data_exports'),
    erased: 'with the identity',
  },
  data_exports: { rows: ofUser('data_exports'), erased: 'with the identity' },
  refresh_tokens: {
    rows: below('refresh_tokens', 'session_id', 'sessions'),
    erased: 'with the identity',
  },
  auth_challenges: {
    rows: below('auth_challenges', 'session_id', 'sessions'),
    erased: 'with the identity',
  },
  ended_sessions: {
    rows: below('ended_sessions', 'session_id', 'sessions'),
    erased: 'with the identity',
  },
  sessions: {
    rows: ofUser('sessions'),
    erased: 'with the identity',
  },
  interim_sign_ins: { rows: ofUser('interim_sign_ins'), erased: 'with the identity' },
  totp_factors: {
    rows: ofUser('totp_factors'),
    erased: 'with the identity',
  },
  recovery_codes: { rows: ofUser('recovery_codes'), erased: 'with the identity' },
  sign_in_hand_overs: {
    rows: below('sign_in_hand_overs', 'identity_id', 'linked_identities'),
    erased: 'with the identity',
  },
  linked_identities: {
    rows: ofUser('linked_identities'),
    erased: 'with the identity',
  },
  passkeys: {
    rows: ofUser('passkeys'),
    erased: 'with the identity',
  },
  push_messages: {
    rows: below('push_messages', 'subscription_id', 'push_subscriptions'),
    erased: 'with the identity',
  },
  push_subscriptions: {
    rows: ofUser('push_subscriptions'),
    erased: 'with the identity',
  },
  api_keys: {
    rows: ofUser('api_keys'),
    erased: 'with the identity',
  },
  kyd_documents: {
    rows: below('kyd_documents', 'case_id', 'kyd_cases'),
    erased: 'with the identity',
  },
  kyd_cases: {
    rows: ofUser('kyd_cases'),
    erased: 'with the identity',
  },
  wallets: { rows: ofUser('wallets'), erased: 'with the identity' },
  unlinked_wallets: {
    rows: ofUser('unlinked_wallets'),
    // Not before the agents are retired, or a wallet that was unlinked would sign for them until then.
    erased: 'with the rows',
  },
  revoked_accounts: {
    rows: ofOwner('revoked_accounts', 'organization_id'),
    // For the same reason.
    erased: 'with the rows',
  },
  approval_digests: {
    rows: (run, { userId, ownerIds }) =>
      run('approval_digests').where((own) => {
        own.where({ account_id: userId }).orWhereIn('owner_id', [...ownerIds])
      }),
    erased: 'with the identity',
  },
  memberships: {
    rows: ofUser('memberships'),
    erased: 'with the identity',
  },
  invitations: {
    rows: (run, { userId, email }) =>
      run('invitations').where((own) => {
        own.where({ invited_by: userId }).orWhere({ email: email ?? '' })
      }),
    erased: 'with the identity',
  },
  mailed_tokens: { rows: ofAddress('mailed_tokens', 'email'), erased: 'with the identity' },
  mail_outbox: {
    rows: ofAddress('mail_outbox', 'recipient'),
    erased: 'with the identity',
  },
  registration_requests: {
    rows: (run, { email, ownerIds }) =>
      run('registration_requests').where((own) => {
        own.whereIn('owner_id', [...ownerIds]).orWhere({ owner_email: email ?? '' })
      }),
    erased: 'with the identity',
  },
  users: {
    rows: ofUser('users', 'id'),
    erased: { instead: 'keeps its identifiers, which records refer to, and nothing else' },
  },
  organizations: {
    rows: (run, { ownerIds }) => run('organizations').whereIn('id', [...ownerIds]),
    erased: { instead: 'loses its name, if nobody else belongs to it' },
  },
  account_erasures: {
    rows: ofUser('account_erasures'),
    erased: { instead: 'stays as the proof of the erasure, with the internal id only' },
  },
  agents: {
    rows: ofOwner('agents'),
    erased: { instead: 'are retired and lose everything but their identifiers and their place on chain' },
  },
  endpoints: {
    rows: ofOwner('endpoints'),
    erased: { instead: 'are archived and lose everything but their identifiers' },
  },
  agent_keys: {
    rows: ofAgent('agent_keys'),
    erased: { instead: 'lose their name; the key stays, so that it never becomes valid again' },
  },
  former_keys: {
    rows: ofAgent('former_keys'),
    erased: { instead: 'are thumbprints only, which stay, so that none becomes valid again' },
  },
  agent_tokens: {
    rows: (run, { ownerIds }) =>
      run('agent_tokens').whereIn(
        'svc_id',
        run('agents')
          .select('svc_id')
          .whereIn('owner_id', [...ownerIds]),
      ),
    erased: { instead: 'repeats what the chain says publicly' },
  },
  agent_credentials: {
    rows: ofAgent('agent_credentials'),
    erased: 'with the rows',
  },
  directory_terms: { rows: ofAgent('directory_terms'), erased: 'with the rows' },
  foreign_adoptions: { rows: ofAgent('foreign_adoptions'), erased: 'with the rows' },
  credential_challenges: {
    rows: ofAgent('credential_challenges'),
    erased: 'with the rows',
  },
  trust_scores: {
    rows: ofAgent('trust_scores'),
    erased: 'with the rows',
  },
  cumulative_spend: {
    rows: ofAgent('cumulative_spend'),
    erased: 'with the rows',
  },
  sub_agent_grants: { rows: ofAgent('sub_agent_grants'), erased: 'with the rows' },
  agent_ancestors: {
    rows: ofAgent('agent_ancestors'),
    erased: { instead: 'contains identifiers of agents only' },
  },
  ipfs_files: {
    rows: (run, { ownerIds }) =>
      run('ipfs_files').whereIn(
        'svc_id',
        run('agents')
          .select('svc_id')
          .whereIn('owner_id', [...ownerIds]),
      ),
    erased: { instead: 'follows the file of the retired agent' },
  },
  allowlist_entries: {
    rows: ofEndpoint('allowlist_entries'),
    erased: 'with the rows',
  },
  domain_proofs: {
    rows: ofEndpoint('domain_proofs'),
    erased: 'with the rows',
  },
  webhook_deliveries: {
    rows: ofEndpoint('webhook_deliveries'),
    erased: 'with the rows',
  },
  step_up_approvals: {
    rows: ofOwner('step_up_approvals'),
    erased: 'with the rows',
  },
  standing_approvals: {
    rows: (run, { ownerIds }) =>
      run('standing_approvals').where((own) => {
        own.whereIn('owner_id', [...ownerIds]).orWhereIn('counterparty_owner_id', [...ownerIds])
      }),
    erased: 'with the rows',
  },
  alerts: {
    rows: ofOwner('alerts'),
    erased: 'with the rows',
  },
  interventions: {
    rows: ofOwner('interventions', 'subject_id'),
    erased: 'with the rows',
  },
  audit_records: {
    rows: ofOwner('audit_records'),
    erased: { instead: 'keep their entry; event, inputs and salt go' },
  },
  receipts: {
    rows: ofAgent('receipts'),
    erased: { instead: 'lose their text; the status stays, so that they remain withdrawn' },
  },
} as const satisfies Record<string, PersonalTable>

/** Tables that refer to people only by identifiers that mean nothing without the rows above, or not at all. */
export const OTHER_TABLES: Readonly<Record<string, string>> = {
  request_nonces: 'nonces of wallets, for ten minutes',
  used_proofs:
    'hashes of proofs, for minutes, and of payments with the agent for which they count, until they end',
  recent_proofs: 'hashes of proofs, until others are used some minutes later',
  idempotency_keys: 'encrypted answers under the internal id of the caller, for a day',
  attempts: 'hashes of what was tried, for days',
  transaction_grants: 'times of grants by scope, for a day',
  session_decisions: 'decisions by session identifier, made by counterparties',
  receipt_uses: 'uses of a receipt by its identifier, reported by counterparties',
  decision_contexts: 'boundaries and lists by their hash, shared by all agents that have the same',
  record_origins: 'spans by the id of a record, for days',
  intent_origins: 'spans by the id of an intent, until it is settled',
  relayer_intents:
    'transactions of the relayer, which are public on chain, and for whom and from which network, until a day after they are settled',
  relayer_transactions: 'transactions of the relayer, which are public on chain',
  audit_archives: 'names of files; what they contain is not in the database',
  rate_windows: 'counts of requests, for minutes',
  limit_answers: 'amounts of requests by internal ids, for an hour',
}
