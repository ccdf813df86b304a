import type { Knex } from 'knex'
import type { Person } from './person.ts'
import type { PERSONAL_TABLES } from './personalTables.ts'

/** What of a table is in the export of a person's data. */
export type ExportedTable = {
  /** The name of the file, without its extension. */
  file: string
  columns: readonly string[]
  /** The columns that identify a row, by which pages continue. */
  key: readonly string[]
  /** The rows, where they are fewer than those that an erasure deletes. */
  rows?: (run: Knex, person: Person) => Knex.QueryBuilder
}

/** Why a table is not in the export. */
export type WithheldTable = { no: string }

const SECRET = { no: 'Secrets, or hashes of secrets.' }
const COUNTERS = { no: 'Counters without content.' }

/**
 * What the export contains of every table with rows of a person.
 *
 * A list of columns, not of exceptions: a new column is exported only once somebody has decided so. Nothing in it is a
 * secret, a hash of one, or about other people. Source: docs/decisions/0108.
 */
export const EXPORTED_TABLES: Readonly<Record<keyof typeof PERSONAL_TABLES, ExportedTable | WithheldTable>> =
  {
    data_export_parts: { no: 'Earlier exports.' },
    data_exports: { no: 'Earlier exports.' },
    refresh_tokens: SECRET,
    auth_challenges: SECRET,
    ended_sessions: { no: 'Repeats the end of sessions.' },
    sessions: {
      file: 'sessions',
      key: ['id'],
      columns: [
        ...['id', 'amr', 'wallet_address', 'browser', 'network'],
        ...['authenticated_at', 'last_used_at', 'ended_at', 'end_reason'],
      ],
    },
    interim_sign_ins: SECRET,
    totp_factors: {
      file: 'authenticator-app',
      key: ['user_id'],
      columns: ['created_at', 'confirmed_at'],
    },
    recovery_codes: SECRET,
    sign_in_hand_overs: SECRET,
    linked_identities: {
      file: 'linked-identities',
      key: ['id'],
      columns: ['id', 'provider', 'issuer', 'subject', 'email', 'linked_at'],
    },
    passkeys: {
      file: 'passkeys',
      key: ['id'],
      columns: ['id', 'credential_id', 'name', 'transports', 'device_type', 'created_at', 'last_used_at'],
    },
    push_messages: { no: 'Encrypted notifications on their way, for minutes.' },
    push_subscriptions: {
      file: 'browser-notifications',
      key: ['id'],
      columns: ['id', 'browser', 'created_at'],
    },
    api_keys: {
      file: 'api-keys',
      key: ['id'],
      columns: ['id', 'name', 'last_four', 'organization_id', 'created_at', 'revoked_at'],
    },
    kyd_documents: {
      file: 'identity-documents',
      key: ['case_id', 'kind'],
      columns: ['case_id', 'kind', 'media_type', 'width', 'height'],
    },
    kyd_cases: {
      file: 'identity-verifications',
      key: ['position'],
      columns: ['id', 'status', 'reason', 'compared', 'submitted_at', 'decided_at', 'documents_deleted_at'],
    },
    wallets: { file: 'wallets', key: ['address'], columns: ['address', 'created_at'] },
    unlinked_wallets: { file: 'unlinked-wallets', key: ['address'], columns: ['address'] },
    revoked_accounts: {
      file: 'revoked-accounts',
      key: ['organization_id', 'address'],
      columns: ['organization_id', 'address'],
    },
    approval_digests: { no: 'The time of the last mail, for ten minutes.' },
    memberships: {
      file: 'memberships',
      key: ['organization_id', 'user_id'],
      columns: ['organization_id', 'role', 'status', 'created_at'],
    },
    invitations: { no: 'Addresses of other people; invitations that you got are in your mails.' },
    mailed_tokens: SECRET,
    mail_outbox: {
      file: 'mails',
      key: ['id'],
      columns: ['template', 'recipient', 'status', 'created_at', 'settled_at'],
    },
    registration_requests: {
      file: 'registration-requests',
      key: ['position'],
      columns: [
        ...['id', 'kind', 'owner_id', 'registration', 'reason', 'status', 'denial_reason', 'svc_id'],
        ...['created_at', 'expires_at', 'decided_at'],
      ],
    },
    users: {
      file: 'account',
      key: ['id'],
      columns: [
        ...['id', 'developer_id', 'email', 'email_verified_at', 'full_name', 'account_type', 'role'],
        ...['kyd_verified_at', 'created_at'],
      ],
    },
    organizations: { file: 'organisations', key: ['id'], columns: ['id', 'name', 'created_at'] },
    account_erasures: { file: 'erasure', key: ['user_id'], columns: ['requested_at', 'erase_at'] },
    agents: {
      file: 'agents',
      key: ['position'],
      columns: [
        ...['svc_id', 'id', 'owner_id', 'parent_agent_id', 'status', 'name', 'description', 'agent_type'],
        ...['api_endpoint', 'image', 'model', 'framework', 'protocols', 'declarations', 'pdlss'],
        ...['approval_rules', 'certifications', 'min_identity_proof', 'required_facts', 'signer_address'],
        ...['chain_agent_id', 'chain_registry', 'foreign_name', 'is_listed', 'created_at', 'updated_at'],
      ],
    },
    endpoints: {
      file: 'endpoints',
      key: ['position'],
      columns: [
        ...['svce_id', 'id', 'owner_id', 'tier', 'status', 'counterparty_type', 'name', 'url', 'authorities'],
        ...['trust_score_requirement', 'unverified_agent_policy', 'pdlss', 'routes', 'required_facts'],
        ...['min_identity_proof', 'webhook_url', 'created_at', 'updated_at'],
      ],
    },
    agent_keys: {
      file: 'agent-keys',
      key: ['position'],
      columns: ['agent_id', 'kid', 'jwk', 'name', 'created_at', 'revoked_at', 'proven_at'],
    },
    former_keys: { file: 'former-keys', key: ['agent_id', 'kid'], columns: ['agent_id', 'kid'] },
    agent_tokens: {
      file: 'agent-tokens',
      key: ['svc_id'],
      columns: ['svc_id', 'custody', 'holder', 'wallet', 'uri'],
    },
    agent_credentials: {
      file: 'agent-credentials',
      key: ['position'],
      columns: [
        ...['agent_id', 'type', 'subject', 'issuer', 'algorithm', 'valid_from', 'expires_at', 'created_at'],
      ],
    },
    directory_terms: { no: 'Repeats what the agent declares.' },
    foreign_adoptions: {
      file: 'adopted-agents',
      key: ['agent_id'],
      columns: ['agent_id', 'agent_registry', 'foreign_id', 'owner', 'adopted_block', 'wallet'],
    },
    credential_challenges: SECRET,
    trust_scores: {
      file: 'trust-scores',
      key: ['agent_id', 'hour'],
      columns: ['agent_id', 'at', 'score'],
    },
    cumulative_spend: {
      file: 'spending',
      key: ['endpoint_id', 'agent_id', 'period'],
      columns: ['agent_id', 'endpoint_id', 'period', 'total'],
    },
    sub_agent_grants: COUNTERS,
    agent_ancestors: { no: 'Repeats the parents of agents.' },
    ipfs_files: { no: 'Hashes of public files.' },
    allowlist_entries: {
      file: 'allowlists',
      key: ['position'],
      columns: [
        ...['endpoint_id', 'allowed_owner_identifier', 'min_trust_score', 'allowed_purposes', 'created_at'],
      ],
    },
    domain_proofs: {
      file: 'domain-proofs',
      key: ['endpoint_id'],
      columns: ['endpoint_id', 'method', 'proven_at'],
    },
    webhook_deliveries: { no: 'Copies of events, which are in events.json.' },
    step_up_approvals: {
      file: 'approvals',
      key: ['position'],
      columns: [
        ...['id', 'agent_id', 'endpoint_id', 'request', 'dimensions', 'status', 'created_at', 'expires_at'],
        ...['decided_at', 'consumed_at'],
      ],
    },
    standing_approvals: {
      file: 'approvals-in-advance',
      key: ['agent_id', 'endpoint_id', 'currency'],
      columns: ['id', 'agent_id', 'endpoint_id', 'currency', 'amount', 'used', 'created_at', 'expires_at'],
      // A counterparty must not learn how much an owner has approved in advance.
      rows: (run, { ownerIds }) => run('standing_approvals').whereIn('owner_id', [...ownerIds]),
    },
    alerts: {
      file: 'alerts',
      key: ['position'],
      columns: ['id', 'code', 'severity', 'subject', 'day', 'data', 'created_at', 'read_at'],
    },
    interventions: { file: 'suspensions', key: ['subject_id'], columns: ['reason', 'decided_at'] },
    audit_records: { no: 'In events.json, as your activity shows them.' },
    receipts: { no: 'Issued to the counterparty; the decisions are in events.json.' },
  }
