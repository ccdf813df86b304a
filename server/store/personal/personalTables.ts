import type { Knex } from 'knex'
import type { Person } from './person.ts'

/** What happens to a person's rows of one table. */
export type PersonalTable = {
  /** The person's rows. */
  rows(run: Knex, person: Person): Knex.QueryBuilder
  /** The columns that the export contains, or why the table is not in it. */
  exported: readonly string[] | { no: string }
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

const SECRET = { no: 'secrets, or hashes of secrets' }
const COUNTERS = { no: 'counters without content' }

/**
 * Every table with rows of a person, in an order in which they can be deleted, with what an export and an erasure do.
 *
 * A test compares the list with the tables of the database, so that a new table cannot be forgotten. Source:
 * docs/decisions/0104.
 */
export const PERSONAL_TABLES = {
  refresh_tokens: {
    rows: below('refresh_tokens', 'session_id', 'sessions'),
    exported: SECRET,
    erased: 'with the identity',
  },
  auth_challenges: {
    rows: below('auth_challenges', 'session_id', 'sessions'),
    exported: SECRET,
    erased: 'with the identity',
  },
  ended_sessions: {
    rows: below('ended_sessions', 'session_id', 'sessions'),
    exported: { no: 'repeats the end of sessions' },
    erased: 'with the identity',
  },
  sessions: {
    rows: ofUser('sessions'),
    exported: [
      'id',
      'amr',
      'authenticated_at',
      'last_used_at',
      'ended_at',
      'end_reason',
      'browser',
      'network',
    ],
    erased: 'with the identity',
  },
  interim_sign_ins: { rows: ofUser('interim_sign_ins'), exported: SECRET, erased: 'with the identity' },
  totp_factors: {
    rows: ofUser('totp_factors'),
    exported: ['created_at', 'confirmed_at'],
    erased: 'with the identity',
  },
  recovery_codes: { rows: ofUser('recovery_codes'), exported: SECRET, erased: 'with the identity' },
  sign_in_hand_overs: {
    rows: below('sign_in_hand_overs', 'identity_id', 'linked_identities'),
    exported: SECRET,
    erased: 'with the identity',
  },
  linked_identities: {
    rows: ofUser('linked_identities'),
    exported: ['id', 'provider', 'issuer', 'subject', 'email', 'linked_at'],
    erased: 'with the identity',
  },
  passkeys: {
    rows: ofUser('passkeys'),
    exported: ['id', 'credential_id', 'name', 'transports', 'device_type', 'created_at', 'last_used_at'],
    erased: 'with the identity',
  },
  push_messages: {
    rows: below('push_messages', 'subscription_id', 'push_subscriptions'),
    exported: { no: 'encrypted notifications on their way, for minutes' },
    erased: 'with the identity',
  },
  push_subscriptions: {
    rows: ofUser('push_subscriptions'),
    exported: ['id', 'browser', 'created_at'],
    erased: 'with the identity',
  },
  api_keys: {
    rows: ofUser('api_keys'),
    exported: ['id', 'name', 'last_four', 'organization_id', 'created_at', 'revoked_at'],
    erased: 'with the identity',
  },
  kyd_documents: {
    rows: below('kyd_documents', 'case_id', 'kyd_cases'),
    exported: ['case_id', 'kind', 'media_type', 'width', 'height'],
    erased: 'with the identity',
  },
  kyd_cases: {
    rows: ofUser('kyd_cases'),
    exported: ['id', 'status', 'reason', 'submitted_at', 'decided_at', 'documents_deleted_at', 'compared'],
    erased: 'with the identity',
  },
  wallets: { rows: ofUser('wallets'), exported: ['address', 'created_at'], erased: 'with the identity' },
  approval_digests: {
    rows: (run, { userId, ownerIds }) =>
      run('approval_digests').where((own) => {
        own.where({ account_id: userId }).orWhereIn('owner_id', [...ownerIds])
      }),
    exported: { no: 'the time of the last mail, for ten minutes' },
    erased: 'with the identity',
  },
  memberships: {
    rows: ofUser('memberships'),
    exported: ['organization_id', 'role', 'status', 'created_at'],
    erased: 'with the identity',
  },
  invitations: {
    rows: (run, { userId, email }) =>
      run('invitations').where((own) => {
        own.where({ invited_by: userId }).orWhere({ email: email ?? '' })
      }),
    exported: { no: 'addresses of other people; invitations to the person are in their mails' },
    erased: 'with the identity',
  },
  mailed_tokens: { rows: ofAddress('mailed_tokens', 'email'), exported: SECRET, erased: 'with the identity' },
  mail_outbox: {
    rows: ofAddress('mail_outbox', 'recipient'),
    exported: ['template', 'recipient', 'status', 'created_at', 'settled_at'],
    erased: 'with the identity',
  },
  registration_requests: {
    rows: (run, { email, ownerIds }) =>
      run('registration_requests').where((own) => {
        own.whereIn('owner_id', [...ownerIds]).orWhere({ owner_email: email ?? '' })
      }),
    exported: ['id', 'kind', 'registration', 'reason', 'status', 'created_at', 'decided_at', 'svc_id'],
    erased: 'with the identity',
  },
  users: {
    rows: ofUser('users', 'id'),
    exported: ['id', 'developer_id', 'email', 'email_verified_at', 'full_name', 'account_type', 'created_at'],
    erased: { instead: 'keeps its identifiers, which records refer to, and nothing else' },
  },
  organizations: {
    rows: (run, { ownerIds }) => run('organizations').whereIn('id', [...ownerIds]),
    exported: ['id', 'name', 'created_at'],
    erased: { instead: 'loses its name, if nobody else belongs to it' },
  },
  account_erasures: {
    rows: ofUser('account_erasures'),
    exported: ['requested_at', 'erase_at'],
    erased: { instead: 'stays as the proof of the erasure, with the internal id only' },
  },
  agents: {
    rows: ofOwner('agents'),
    exported: [
      ...['svc_id', 'id', 'status', 'name', 'description', 'agent_type', 'api_endpoint', 'image', 'model'],
      ...['framework', 'protocols', 'declarations', 'pdlss', 'approval_rules', 'certifications'],
      ...[
        'signer_address',
        'chain_agent_id',
        'chain_registry',
        'parent_agent_id',
        'created_at',
        'updated_at',
      ],
    ],
    erased: { instead: 'are retired and lose everything but their identifiers and their place on chain' },
  },
  endpoints: {
    rows: ofOwner('endpoints'),
    exported: [
      ...['svce_id', 'id', 'tier', 'status', 'counterparty_type', 'name', 'url', 'authorities'],
      ...['trust_score_requirement', 'unverified_agent_policy', 'pdlss', 'routes', 'webhook_url'],
      ...['created_at', 'updated_at'],
    ],
    erased: { instead: 'are archived and lose everything but their identifiers' },
  },
  agent_keys: {
    rows: ofAgent('agent_keys'),
    exported: ['agent_id', 'kid', 'jwk', 'name', 'created_at', 'revoked_at'],
    erased: { instead: 'lose their name; the key stays, so that it never becomes valid again' },
  },
  agent_tokens: {
    rows: (run, { ownerIds }) =>
      run('agent_tokens').whereIn(
        'svc_id',
        run('agents')
          .select('svc_id')
          .whereIn('owner_id', [...ownerIds]),
      ),
    exported: ['svc_id', 'custody', 'holder', 'wallet', 'uri'],
    erased: { instead: 'repeats what the chain says publicly' },
  },
  agent_credentials: {
    rows: ofAgent('agent_credentials'),
    exported: [
      'agent_id',
      'type',
      'subject',
      'issuer',
      'algorithm',
      'valid_from',
      'expires_at',
      'created_at',
    ],
    erased: 'with the rows',
  },
  credential_challenges: {
    rows: ofAgent('credential_challenges'),
    exported: SECRET,
    erased: 'with the rows',
  },
  trust_scores: {
    rows: ofAgent('trust_scores'),
    exported: ['agent_id', 'at', 'score'],
    erased: 'with the rows',
  },
  cumulative_spend: {
    rows: ofAgent('cumulative_spend'),
    exported: ['agent_id', 'endpoint_id', 'period', 'total'],
    erased: 'with the rows',
  },
  sub_agent_grants: { rows: ofAgent('sub_agent_grants'), exported: COUNTERS, erased: 'with the rows' },
  agent_ancestors: {
    rows: ofAgent('agent_ancestors'),
    exported: { no: 'repeats the parents of agents' },
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
    exported: { no: 'hashes of public files' },
    erased: { instead: 'follows the file of the retired agent' },
  },
  allowlist_entries: {
    rows: ofEndpoint('allowlist_entries'),
    exported: [
      'endpoint_id',
      'allowed_owner_identifier',
      'min_trust_score',
      'allowed_purposes',
      'created_at',
    ],
    erased: 'with the rows',
  },
  domain_proofs: {
    rows: ofEndpoint('domain_proofs'),
    exported: ['endpoint_id', 'method', 'proven_at'],
    erased: 'with the rows',
  },
  webhook_deliveries: {
    rows: ofEndpoint('webhook_deliveries'),
    exported: { no: 'copies of events, which are in the export' },
    erased: 'with the rows',
  },
  step_up_approvals: {
    rows: ofOwner('step_up_approvals'),
    exported: [
      ...['id', 'agent_id', 'endpoint_id', 'request', 'dimensions', 'status', 'created_at', 'expires_at'],
      ...['decided_at'],
    ],
    erased: 'with the rows',
  },
  standing_approvals: {
    rows: (run, { ownerIds }) =>
      run('standing_approvals').where((own) => {
        own.whereIn('owner_id', [...ownerIds]).orWhereIn('counterparty_owner_id', [...ownerIds])
      }),
    exported: ['id', 'agent_id', 'endpoint_id', 'currency', 'amount', 'used', 'created_at', 'expires_at'],
    erased: 'with the rows',
  },
  alerts: {
    rows: ofOwner('alerts'),
    exported: ['id', 'code', 'severity', 'subject', 'day', 'data', 'created_at', 'read_at'],
    erased: 'with the rows',
  },
  interventions: {
    rows: ofOwner('interventions', 'subject_id'),
    exported: ['reason', 'decided_at'],
    erased: 'with the rows',
  },
  audit_records: {
    rows: ofOwner('audit_records'),
    exported: { no: 'exported as events, as the person sees them' },
    erased: { instead: 'keep their entry; event, inputs and salt go' },
  },
  receipts: {
    rows: ofAgent('receipts'),
    exported: { no: 'issued to the counterparty; the person has the events' },
    erased: { instead: 'lose their text; the status stays, so that they remain withdrawn' },
  },
} as const satisfies Record<string, PersonalTable>

/** Tables that refer to people only by identifiers that mean nothing without the rows above, or not at all. */
export const OTHER_TABLES: Readonly<Record<string, string>> = {
  request_nonces: 'nonces of wallets, for ten minutes',
  used_proofs: 'hashes of proofs, for minutes',
  idempotency_keys: 'encrypted answers under the internal id of the caller, for a day',
  attempts: 'hashes of what was tried, for days',
  transaction_grants: 'times of grants by scope, for the period of a cap',
  session_decisions: 'decisions by session identifier, made by counterparties',
  receipt_uses: 'uses of a receipt by its identifier, reported by counterparties',
  decision_contexts: 'boundaries and lists by their hash, shared by all agents that have the same',
  relayer_intents: 'transactions of the relayer, which are public on chain',
  relayer_transactions: 'transactions of the relayer, which are public on chain',
  audit_archives: 'names of files; what they contain is not in the database',
  rate_windows: 'counts of requests, for minutes',
}
