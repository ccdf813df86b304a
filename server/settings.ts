/**
 * Every setting the service reads, by its environment name, with its default and its sentence for the README's
 * table (`npm run docs` writes it; a test fails when they differ).
 */
export const SETTINGS = {
  PORT: { default: '3000', meaning: 'Port of the HTTP server' },
  HOST: { default: '127.0.0.1', meaning: 'Address to listen on' },
  TRUSTED_PROXIES: {
    default: '(none)',
    meaning:
      'Addresses or networks of the proxies before the service, with commas between, whose X-Forwarded-For tells who calls',
  },
  DATA_DIR: { default: './data', meaning: 'SQLite files and generated keys (mode 600)' },
  DATABASE_URL: {
    default: '(SQLite in DATA_DIR)',
    meaning: 'PostgreSQL, postgres://…, for one or several server processes; needs SECRETS_KEY',
  },
  WORKERS: {
    default: '1',
    meaning: 'Server processes that share PORT; more than one needs DATABASE_URL and RPC_URL',
  },
  REGISTRATION_FILES_DIR: {
    default: './registration-files',
    meaning: 'Folder of the documents that token URIs point to',
  },
  PUBLIC_URL: { default: 'http://localhost:PORT', meaning: 'Base address that clients and token URIs use' },
  APP_URL: { default: 'PUBLIC_URL', meaning: 'Address of the dashboard, used in links' },
  RPC_URL: { default: '(a local Hardhat chain)', meaning: 'JSON-RPC address of the chain' },
  CHAIN_PORT: { default: '8545', meaning: 'Port of the local chain' },
  RELAYER_PRIVATE_KEY: { default: '(first account of the local chain)', meaning: 'Key that pays the gas' },
  RELAYER_MAX_FEE_GWEI: { default: '200', meaning: 'Highest fee per gas the relayer offers' },
  RELAYER_DAILY_BUDGET_ETH: { default: '1', meaning: 'Most the relayer spends in 24 hours' },
  IDENTITY_REGISTRY_ADDRESS: {
    default: '(deployed at first start)',
    meaning: 'Identity registry that is deployed already',
  },
  AUDIT_LOG_ADDRESS: {
    default: '(deployed at first start)',
    meaning: 'Audit log contract that is deployed already',
  },
  REPUTATION_REGISTRY_ADDRESS: {
    default: '(deployed at first start)',
    meaning: 'Reputation registry over that identity registry that is deployed already',
  },
  VALIDATION_REGISTRY_ADDRESS: {
    default: '(deployed at first start)',
    meaning: 'Validation registry over that identity registry that is deployed already',
  },
  PUBLISH_FEEDBACK: {
    default: 'false',
    meaning:
      'Whether counterparties’ decisions become feedback in the reputation registry; the relayer pays the gas',
  },
  CONFIRMATIONS: {
    default: '1 on the local chain, else 12',
    meaning: 'Blocks until a transaction counts as final',
  },
  AUDIT_BATCH_SIZE: { default: '1024', meaning: 'Records that make a batch full' },
  AUDIT_BATCH_SECONDS: { default: '5', meaning: 'Age at which a batch is sealed though not full' },
  TRUST_HISTORY_SECONDS: {
    default: '300',
    meaning: 'Pause between two looks at all agents for the history of their trust scores',
  },
  APPROVAL_MINUTES: { default: '30', meaning: 'Life of a step-up approval' },
  MAX_REQUESTS_AT_ONCE: {
    default: '2048',
    meaning: 'Requests that a process works on at once; more get 503 with Retry-After',
  },
  VERIFY_RATE_PER_MINUTE: { default: '600', meaning: 'verify-access calls a key may make in a minute' },
  API_RATE_PER_MINUTE: { default: '120', meaning: 'Other calls a key or session may make in a minute' },
  SIGN_UP_RATE_PER_HOUR: {
    default: '30 with SMTP_URL, else as many as come',
    meaning: 'Accounts with a password that one address of a peer may open in an hour; each is mailed to',
  },
  OUTREACH_RATE_PER_HOUR: {
    default: '5',
    meaning: 'Registrations that one address of a peer may ask strangers for in an hour',
  },
  ALLOW_PRIVATE_NETWORK: {
    default: 'true with the local chain, else false',
    meaning: 'Whether outbound requests may go to private addresses',
  },
  DNS_SERVERS: {
    default: '(those of the system)',
    meaning: 'Name servers for proofs of domains, `address:port` with commas between',
  },
  PLATFORMS_FILE: {
    default: '(a bundled list)',
    meaning: 'Recognised assistant platforms, in the form of core/platforms/platforms.json',
  },
  PLATFORM_LISTS_HOURS: {
    default: '0',
    meaning: 'Age at which address lists that platforms publish are read again; 0 reads none',
  },
  PLATFORM_REVERSE_DNS: {
    default: 'false',
    meaning: 'Whether the names of addresses are looked up to confirm a platform',
  },
  SECRETS_KEY: { default: '(generated into DATA_DIR)', meaning: '32 bytes base64; encrypts stored secrets' },
  CREDENTIAL_ROOTS_FILE: {
    default: '(the authorities that come with Node)',
    meaning: 'PEM file of the authorities that X.509 credentials of agents have to lead to',
  },
  IPFS_API_URL: {
    default: '(registration files over HTTP alone)',
    meaning: 'HTTP interface of a Kubo node; tokens then lead to registration files in IPFS',
  },
  SMTP_URL: {
    default: '(files in DATA_DIR/mail)',
    meaning: 'Mail server, smtp:// or smtps:// with credentials',
  },
  MAIL_FROM: { default: 'no-reply@ the host of APP_URL', meaning: 'Sender of mails' },
  OIDC_GOOGLE_ISSUER: { default: 'https://accounts.google.com', meaning: 'Issuer of sign-in with Google' },
  OIDC_GOOGLE_CLIENT_ID: {
    default: '(no sign-in with Google)',
    meaning: 'Client there, whose redirect address is APP_URL/api/auth/oauth/google/callback',
  },
  OIDC_GOOGLE_CLIENT_SECRET: { default: '(no sign-in with Google)', meaning: 'Secret of that client' },
  OIDC_MICROSOFT_ISSUER: {
    default: 'https://login.microsoftonline.com/common/v2.0',
    meaning: 'Issuer of sign-in with Microsoft; of one tenant, or of all of them',
  },
  OIDC_MICROSOFT_CLIENT_ID: {
    default: '(no sign-in with Microsoft)',
    meaning: 'Client there, whose redirect address is APP_URL/api/auth/oauth/microsoft/callback',
  },
  OIDC_MICROSOFT_CLIENT_SECRET: { default: '(no sign-in with Microsoft)', meaning: 'Secret of that client' },
  SVC_OPERATOR_EMAIL: {
    default: '(no operator)',
    meaning: 'Address of the first operator, whose account is created or given the role at start',
  },
  SVC_OPERATOR_PASSWORD: {
    default: '(no operator)',
    meaning: 'Password that account is created with; later changes here change nothing',
  },
  KYD_RETENTION_DAYS: {
    default: '0',
    meaning: 'How long passport pictures are kept after their decision; 0 deletes them with it',
  },
  LOG_LEVEL: { default: 'info', meaning: 'trace, debug, info, warn, error or silent' },
} as const satisfies Record<string, { default: string; meaning: string }>
