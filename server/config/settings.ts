import { CHAIN_SETTINGS } from './chainSettings.ts'

/**
 * Every setting that the service reads, by environment variable, with its default and its description. `npm run docs`
 * writes the table in docs/configuration.md from it, and a test fails when the two differ.
 */
export const SETTINGS = {
  PORT: { default: '3000', meaning: 'Port that the HTTP server listens on' },
  HOST: { default: '127.0.0.1', meaning: 'Address that the HTTP server listens on' },
  TRUSTED_PROXIES: {
    default: '(none)',
    meaning:
      'Comma-separated addresses or networks of the reverse proxies whose X-Forwarded-For header is trusted',
  },
  DATA_DIR: { default: './data', meaning: 'Folder of the SQLite files and the generated keys (mode 600)' },
  DATABASE_URL: {
    default: '(SQLite in DATA_DIR)',
    meaning:
      'PostgreSQL database, postgres://…, for one or more server processes, with several hosts separated by commas; requires SECRETS_KEY',
  },
  DATABASE_FEATURES: {
    default: 'full',
    meaning:
      '`full` for PostgreSQL; `portable` for compatible databases without advisory locks or LISTEN, the same for all processes',
  },
  READ_DATABASE_URL: {
    default: '(none)',
    meaning:
      'PostgreSQL URL, with one host, of a streaming standby for reads of feed, lists and exports; while it is down or behind, the primary is read',
  },
  WORKERS: {
    default: '1',
    meaning: 'Number of server processes that share PORT; more than one requires DATABASE_URL and RPC_URL',
  },
  REGISTRATION_FILES_DIR: {
    default: './registration-files',
    meaning:
      'Folder of the registration files that token URIs point to; if DATA_DIR is set, a folder of this name in it',
  },
  PUBLIC_URL: { default: 'http://localhost:PORT', meaning: 'Base URL that clients and token URIs use' },
  APP_URL: {
    default: 'PUBLIC_URL',
    meaning:
      'Base URL of the dashboard, used in links, without a path; with https, the cookie of its sessions is Secure',
  },
  ...CHAIN_SETTINGS,
  TRUST_HISTORY_SECONDS: {
    default: '300',
    meaning: 'Pause between two scans that record the trust score of every agent',
  },
  APPROVAL_MINUTES: { default: '30', meaning: 'Lifetime of a step-up approval' },
  MAX_REQUESTS_AT_ONCE: {
    default: '2048',
    meaning: 'Requests that a process handles concurrently; any more get 503 with Retry-After',
  },
  DRAIN_SECONDS: {
    default: '0',
    meaning:
      'For how many seconds, at most 60, a process that was told to stop keeps serving while its health fails, so that balancers notice',
  },
  VERIFY_RATE_PER_MINUTE: {
    default: '600',
    meaning:
      'verify-access calls per minute and API key; each AuthZEN evaluation and each reported use of a grant is one',
  },
  VERIFY_RATE_PER_MINUTE_PER_ACCOUNT: {
    default: 'ten times VERIFY_RATE_PER_MINUTE: 6000',
    meaning:
      'verify-access calls per minute and account: all API keys of a person and of the organisations they created. A network (/24 of IPv4, /48 of IPv6) has five times as many',
  },
  API_RATE_PER_MINUTE: {
    default: '120',
    meaning:
      'Other calls per minute and API key. An account that is signed in has five times as many, because each page of the dashboard makes several',
  },
  API_RATE_PER_MINUTE_PER_ACCOUNT: {
    default: 'ten times API_RATE_PER_MINUTE: 1200',
    meaning:
      'Other calls per minute and account: all API keys of a person and of the organisations they created. A network (/24 of IPv4, /48 of IPv6) has five times as many, and as many again for accounts that are signed in',
  },
  SIGN_IN_RATE_PER_15_MINUTES: {
    default: '100',
    meaning:
      'Sign-in attempts per 15 minutes and client address, for all accounts; each account has 10. A /48 of IPv6 has 16 times as many',
  },
  SIGN_UP_RATE_PER_HOUR: {
    default: '30 with SMTP_URL, otherwise unlimited',
    meaning:
      'Password accounts that one client address may create per hour; each one sends an e-mail. A /48 of IPv6 may create 16 times as many',
  },
  REGISTRATION_RATE_PER_HOUR: {
    default: 'unlimited on the local chain, otherwise 20',
    meaning:
      'Agents that one account, and one network (/24 of IPv4, /48 of IPv6), may register per hour; the relayer pays for each',
  },
  OUTREACH_RATE_PER_HOUR: {
    default: '5',
    meaning: 'Registration requests by e-mail that one client address may trigger per hour',
  },
  ALLOW_PRIVATE_NETWORK: {
    default: 'true with the local chain, otherwise false',
    meaning: 'Whether outbound requests may go to private addresses',
  },
  ALLOW_SIGNED_REQUESTS_WITHOUT_SERVICE: {
    default: 'true',
    meaning:
      'Whether owners may sign requests that do not name this service; another service that gets one could send it here',
  },
  DNS_SERVERS: {
    default: '(the system’s resolvers)',
    meaning: 'Comma-separated name servers, `address:port`, for domain verification',
  },
  PLATFORMS_FILE: {
    default: '(a bundled list)',
    meaning: 'File of recognised assistant platforms, in the format of core/platforms/platforms.json',
  },
  PLATFORM_LISTS_HOURS: {
    default: '0',
    meaning: 'Hours after which the IP address lists published by platforms are refreshed; 0 disables them',
  },
  PLATFORM_REVERSE_DNS: {
    default: 'false',
    meaning: 'Whether a platform may be confirmed by reverse DNS',
  },
  SECRETS_KEY: {
    default: '(generated into DATA_DIR)',
    meaning: '32 bytes in base64; encrypts stored secrets',
  },
  SECRETS_KEY_FORMER: {
    default: '(none)',
    meaning:
      'Former values of SECRETS_KEY, separated by commas; they only decrypt, until `npm run rotate-secrets` has finished',
  },
  CREDENTIAL_ROOTS_FILE: {
    default: '(the certificate authorities bundled with Node)',
    meaning: 'PEM file of the certificate authorities to which agents’ X.509 credentials must chain',
  },
  IPFS_API_URL: {
    default: '(registration files over HTTP only)',
    meaning: 'HTTP API of a Kubo node; token URIs then point to registration files in IPFS',
  },
  IPFS_GATEWAY_URL: {
    default: '(`ipfs:` URIs of foreign agents are refused)',
    meaning:
      'Gateway from which registration files of foreign agents are read, as https://gateway.example; its answers are trusted',
  },
  SMTP_URL: {
    default: '(files in DATA_DIR/mail)',
    meaning: 'URL of the mail server, smtp:// or smtps://, with credentials',
  },
  MAIL_FROM: {
    default: 'no-reply@ plus the host of APP_URL',
    meaning: 'Sender address of e-mails, also as `Name <address>`',
  },
  SUPPORT_CONTACT: {
    default: '(none)',
    meaning:
      'E-mail address or URL that a suspended owner is told to contact, on the sign-in page and in e-mails',
  },
  OIDC_GOOGLE_ISSUER: {
    default: 'https://accounts.google.com',
    meaning: 'OpenID Connect issuer for sign-in with Google',
  },
  OIDC_GOOGLE_CLIENT_ID: {
    default: '(no sign-in with Google)',
    meaning: 'Client ID for Google; the redirect URI is APP_URL/api/auth/oauth/google/callback',
  },
  OIDC_GOOGLE_CLIENT_SECRET: { default: '(no sign-in with Google)', meaning: 'Client secret for Google' },
  OIDC_MICROSOFT_ISSUER: {
    default: 'https://login.microsoftonline.com/common/v2.0',
    meaning: 'OpenID Connect issuer for sign-in with Microsoft, for one tenant or for all',
  },
  OIDC_MICROSOFT_CLIENT_ID: {
    default: '(no sign-in with Microsoft)',
    meaning: 'Client ID for Microsoft; the redirect URI is APP_URL/api/auth/oauth/microsoft/callback',
  },
  OIDC_MICROSOFT_CLIENT_SECRET: {
    default: '(no sign-in with Microsoft)',
    meaning: 'Client secret for Microsoft',
  },
  SVC_OPERATOR_EMAIL: {
    default: '(no operator)',
    meaning:
      'E-mail address of the first operator; at start the account is created or given the operator role',
  },
  SVC_OPERATOR_PASSWORD: {
    default: '(no operator)',
    meaning: 'Initial password of that account; later changes to this setting have no effect',
  },
  ALERT_RETENTION_DAYS: {
    default: '(none: stored for ever)',
    meaning: 'Days after which alerts are deleted, read or not',
  },
  APPROVAL_RETENTION_DAYS: {
    default: '(none: stored for ever)',
    meaning: 'Days after the end of its window when a settled approval is deleted; its records stay',
  },
  EVENT_RETENTION_DAYS: {
    default: '(none: stored for ever)',
    meaning:
      'Days, at least 30, after which the content of events is removed; decisions, amounts and proofs stay',
  },
  KYD_RETENTION_DAYS: {
    default: '0',
    meaning: 'Days to keep passport images after the decision; 0 deletes them with the decision',
  },
  METRICS_TOKEN: {
    default: '(none: anyone may read them)',
    meaning: 'Bearer token that GET /metrics requires',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: '(no traces)',
    meaning: 'Base URL of an OpenTelemetry receiver; traces are sent to its /v1/traces as JSON',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    default: '(none)',
    meaning: 'Comma-separated headers for that receiver, `name=value` with percent-encoded values',
  },
  OTEL_TRACES_SAMPLER_ARG: { default: '1', meaning: 'Share of requests that are traced, from 0 to 1' },
  LOG_FORMAT: {
    default: 'text on a terminal, otherwise json',
    meaning: 'json: the log as JSON lines on standard error, and one line `ready http://…`; text: for people',
  },
  LOG_LEVEL: {
    default: 'info, or warn as text',
    meaning:
      'trace, debug, info, warn, error or silent; as JSON, a failed start logs its stack from debug on',
  },
} as const satisfies Record<string, { default: string; meaning: string }>
