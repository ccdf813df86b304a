import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isAddressOrNetwork } from './middleware/callerAddress.ts'
import { readForeignRegistries } from './readForeignRegistries.ts'
import { readSettingFiles } from './readSettingFiles.ts'
import { readTracingSettings } from './readTracingSettings.ts'
import { readWitnessSettings } from './readWitnessSettings.ts'
import { settingMeantBy } from './settingMeantBy.ts'
import { SETTINGS } from './settings.ts'
import { FEATURE_SETS } from './store/database/databaseFeatures.ts'
import { splitDatabaseUrl } from './store/database/splitDatabaseUrl.ts'

/** Prefixes that only this service uses: an unknown name with one of them is a misspelling. */
const OWN_PREFIXES = [
  'SVC_',
  'AUDIT_',
  'RELAYER_',
  'APPROVAL_',
  'VERIFY_',
  'IDENTITY_REGISTRY_',
  'REPUTATION_REGISTRY_',
  'VALIDATION_REGISTRY_',
  'PLATFORM',
  'KYD_',
  'CREDENTIAL_',
  'OIDC_',
  'SIGN_UP',
  'SIGN_IN',
  'OUTREACH_',
  'REGISTRATION_RATE',
  'WITNESS',
  'FOREIGN_',
]

/** The highest rate, which stands for no limit. */
const RATE_MAX = 100_000_000
/** If mails are written to files, nobody is mailed, and integration tests open accounts by the hundred. */
const SIGN_UPS_MAILED = 30
/** On the local chain, gas is free, and integration tests register agents by the hundred. */
const REGISTRATIONS_PAID = 20
const DAILY_BUDGET_ETH = '1'
/** Keys whose whole budget an account may use at the same time. */
const BUSY_KEYS_MAX = 10

const integer = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'expected a whole number').transform(Number).pipe(z.number().min(min).max(max))
const rate = integer(1, RATE_MAX)
const boolean = z.enum(['true', 'false']).transform((text) => text === 'true')
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''))
const databaseUrl = z.string().transform((text, context) => {
  try {
    splitDatabaseUrl(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
  return text
})
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address of 20 bytes in hex')
const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'expected a key of 32 bytes in hex')
const secretsKey = z
  .base64()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'expected 32 bytes in base64')
/** A share above 0 and up to 1. */
const share = z.coerce.number().gt(0).max(1)
const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'expected a decimal number')

const environmentSchema = z.object({
  PORT: integer(0, 65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((proxy) => proxy.trim()))
    .pipe(z.array(z.string().refine(isAddressOrNetwork, 'expected addresses or networks, as 10.0.0.0/8')))
    .default([]),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_FEATURES: z.enum(FEATURE_SETS).default('full'),
  READ_DATABASE_URL: databaseUrl.optional(),
  WORKERS: integer(1, 64).default(1),
  REGISTRATION_FILES_DIR: z.string().min(1).default('./registration-files'),
  PUBLIC_URL: url.optional(),
  APP_URL: url.optional(),
  RPC_URL: url.optional(),
  PUBLIC_RPC_URL: url.optional(),
  CHAIN_PORT: integer(0, 65535).default(8545),
  RELAYER_PRIVATE_KEY: privateKey.optional(),
  RELAYER_PRIVATE_KEY_FORMER: privateKey.optional(),
  RELAYER_MAX_FEE_GWEI: decimal.default('200'),
  RELAYER_DAILY_BUDGET_ETH: decimal.optional(),
  RELAYER_BUDGET_SHARE_PER_ACCOUNT: share.default(0.1),
  RELAYER_BUDGET_SHARE_PER_NETWORK: share.default(0.2),
  IDENTITY_REGISTRY_ADDRESS: address.optional(),
  AUDIT_LOG_ADDRESS: address.optional(),
  REPUTATION_REGISTRY_ADDRESS: address.optional(),
  VALIDATION_REGISTRY_ADDRESS: address.optional(),
  PUBLISH_FEEDBACK: boolean.default(false),
  CONFIRMATIONS: integer(1, 1000).optional(),
  AUDIT_BATCH_SIZE: integer(1, 1_000_000).default(1024),
  AUDIT_BATCH_SECONDS: integer(1, 86_400).default(5),
  WITNESSES: z.string().default(''),
  FOREIGN_REGISTRIES: z.string().default(''),
  TRUST_HISTORY_SECONDS: integer(1, 3600).default(300),
  APPROVAL_MINUTES: integer(1, 1440).default(30),
  MAX_REQUESTS_AT_ONCE: integer(1, 1_000_000).default(2048),
  VERIFY_RATE_PER_MINUTE: rate.default(600),
  VERIFY_RATE_PER_MINUTE_PER_ACCOUNT: rate.optional(),
  API_RATE_PER_MINUTE: rate.default(120),
  SIGN_IN_RATE_PER_15_MINUTES: rate.default(100),
  SIGN_UP_RATE_PER_HOUR: rate.optional(),
  REGISTRATION_RATE_PER_HOUR: rate.optional(),
  OUTREACH_RATE_PER_HOUR: rate.default(5),
  ALLOW_PRIVATE_NETWORK: boolean.optional(),
  DNS_SERVERS: z
    .string()
    .transform((text) => text.split(',').map((server) => server.trim()))
    .pipe(
      z.array(z.string().regex(/^[\d.]+(:\d{1,5})?$|^\[[\da-f:]+\](:\d{1,5})?$/i, 'expected address:port')),
    )
    .optional(),
  PLATFORMS_FILE: z.string().min(1).optional(),
  PLATFORM_LISTS_HOURS: integer(0, 8760).default(0),
  PLATFORM_REVERSE_DNS: boolean.default(false),
  SECRETS_KEY: secretsKey.optional(),
  SECRETS_KEY_FORMER: z
    .string()
    .transform((text) => text.split(/[,\s]+/).filter((key) => key !== ''))
    .pipe(z.array(secretsKey))
    .default([]),
  CREDENTIAL_ROOTS_FILE: z.string().min(1).optional(),
  IPFS_API_URL: url.optional(),
  IPFS_GATEWAY_URL: url.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .min(3)
    .max(320)
    .regex(/^[^\r\n]+$/, 'expected one line')
    .optional(),
  SUPPORT_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https?$/ })], 'expected an e-mail address or a URL')
    .optional(),
  OIDC_GOOGLE_ISSUER: url.optional(),
  OIDC_GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  OIDC_GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_MICROSOFT_ISSUER: url.optional(),
  OIDC_MICROSOFT_CLIENT_ID: z.string().min(1).optional(),
  OIDC_MICROSOFT_CLIENT_SECRET: z.string().min(1).optional(),
  SVC_OPERATOR_EMAIL: z.string().trim().toLowerCase().max(254).pipe(z.email()).optional(),
  SVC_OPERATOR_PASSWORD: z.string().min(10).max(200).optional(),
  ALERT_RETENTION_DAYS: integer(1, 36_500).optional(),
  APPROVAL_RETENTION_DAYS: integer(1, 36_500).optional(),
  EVENT_RETENTION_DAYS: integer(30, 36_500).optional(),
  KYD_RETENTION_DAYS: integer(0, 3650).default(0),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, 'expected printable ASCII characters without spaces')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .transform((text) => text.split(',').map((header) => header.trim()))
    .pipe(z.array(z.string().regex(/^[\w-]+=([!-$&-~]|%[2-7][\da-fA-F])*$/, 'expected name=value')))
    .default([]),
  OTEL_TRACES_SAMPLER_ARG: decimal.transform(Number).pipe(z.number().max(1)).default(1),
  LOG_FORMAT: z.enum(['json', 'text']).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
})

export type Config = ReturnType<typeof readConfig>

/**
 * Reads the configuration from an environment and the files that it names, once, at the start.
 *
 * @param isTerminal Whether a person reads the output.
 * @throws Error whose message names the first invalid or unknown setting; `main.ts` prints it and exits.
 */
export function readConfig(given: Record<string, string | undefined>, isTerminal = false) {
  const environment = readSettingFiles(given)
  refuseUnknownNames(environment)
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = environmentSchema.safeParse(present)
  if (!parsed.success) {
    throw new Error(explainIssue(parsed.error.issues[0]))
  }
  const e = parsed.data
  const local = e.RPC_URL === undefined
  if (!local && e.RELAYER_PRIVATE_KEY === undefined) {
    throw new Error('Setting RELAYER_PRIVATE_KEY is required when RPC_URL is set')
  }
  if (e.DATABASE_URL !== undefined && e.SECRETS_KEY === undefined) {
    throw new Error('Setting SECRETS_KEY is required when DATABASE_URL is set: all processes share it')
  }
  refuseUnusableReplica(e)
  refuseLonelyWorkers(e)
  const publicUrl = e.PUBLIC_URL ?? `http://localhost:${e.PORT}`
  const dataDir = resolve(e.DATA_DIR)
  const allowPrivateNetwork = e.ALLOW_PRIVATE_NETWORK ?? local
  return {
    http: {
      port: e.PORT,
      host: e.HOST,
      maxAtOnce: e.MAX_REQUESTS_AT_ONCE,
      trustedProxies: e.TRUSTED_PROXIES,
    },
    workers: e.WORKERS,
    dataDir,
    databaseUrl: e.DATABASE_URL,
    databaseFeatures: e.DATABASE_FEATURES,
    readDatabaseUrl: e.READ_DATABASE_URL,
    databaseFile: join(dataDir, 'svc.sqlite'),
    feedFile: join(dataDir, 'feed.sqlite'),
    registrationFilesDir: resolve(e.REGISTRATION_FILES_DIR),
    publicUrl,
    appUrl: e.APP_URL ?? publicUrl,
    chain: {
      local,
      rpcUrl: e.RPC_URL,
      publicRpcUrl:
        e.PUBLIC_RPC_URL ?? (local && e.CHAIN_PORT > 0 ? `http://127.0.0.1:${e.CHAIN_PORT}` : null),
      port: e.CHAIN_PORT,
      relayerPrivateKey: e.RELAYER_PRIVATE_KEY as `0x${string}` | undefined,
      formerRelayerPrivateKey: e.RELAYER_PRIVATE_KEY_FORMER as `0x${string}` | undefined,
      maxFeeGwei: e.RELAYER_MAX_FEE_GWEI,
      /** Undefined on a chain without real money, unless it is set. */
      dailyBudgetEth: e.RELAYER_DAILY_BUDGET_ETH ?? (local ? undefined : DAILY_BUDGET_ETH),
      budgetShares: {
        account: e.RELAYER_BUDGET_SHARE_PER_ACCOUNT,
        network: e.RELAYER_BUDGET_SHARE_PER_NETWORK,
      },
      identityRegistryAddress: e.IDENTITY_REGISTRY_ADDRESS as `0x${string}` | undefined,
      auditLogAddress: e.AUDIT_LOG_ADDRESS as `0x${string}` | undefined,
      reputationRegistryAddress: e.REPUTATION_REGISTRY_ADDRESS as `0x${string}` | undefined,
      validationRegistryAddress: e.VALIDATION_REGISTRY_ADDRESS as `0x${string}` | undefined,
      confirmations: e.CONFIRMATIONS ?? (local ? 1 : 12),
    },
    audit: { batchSize: e.AUDIT_BATCH_SIZE, batchSeconds: e.AUDIT_BATCH_SECONDS },
    witnesses: readWitnessSettings(e.WITNESSES, allowPrivateNetwork),
    foreignRegistries: readForeignRegistries(e.FOREIGN_REGISTRIES, allowPrivateNetwork),
    trustHistorySeconds: e.TRUST_HISTORY_SECONDS,
    approvalMinutes: e.APPROVAL_MINUTES,
    rates: {
      verifyPerMinute: e.VERIFY_RATE_PER_MINUTE,
      verifyPerMinutePerAccount:
        e.VERIFY_RATE_PER_MINUTE_PER_ACCOUNT ?? e.VERIFY_RATE_PER_MINUTE * BUSY_KEYS_MAX,
      apiPerMinute: e.API_RATE_PER_MINUTE,
      signInsPerAddress: e.SIGN_IN_RATE_PER_15_MINUTES,
      signUpsPerHour: e.SIGN_UP_RATE_PER_HOUR ?? (e.SMTP_URL === undefined ? RATE_MAX : SIGN_UPS_MAILED),
      registrationsPerHour: e.REGISTRATION_RATE_PER_HOUR ?? (local ? RATE_MAX : REGISTRATIONS_PAID),
      outreachPerHour: e.OUTREACH_RATE_PER_HOUR,
    },
    allowPrivateNetwork,
    dnsServers: e.DNS_SERVERS,
    publishFeedback: e.PUBLISH_FEEDBACK,
    platforms: {
      file: e.PLATFORMS_FILE,
      ipListsFile: join(dataDir, 'platform-ip-lists.json'),
      ipListHours: e.PLATFORM_LISTS_HOURS,
      reverseDns: e.PLATFORM_REVERSE_DNS,
    },
    credentialRootsFile: e.CREDENTIAL_ROOTS_FILE,
    secretsKey: e.SECRETS_KEY,
    formerSecretsKeys: e.SECRETS_KEY_FORMER,
    ipfsApiUrl: e.IPFS_API_URL,
    ipfsGatewayUrl: e.IPFS_GATEWAY_URL,
    mail: {
      smtpUrl: e.SMTP_URL,
      from: e.MAIL_FROM ?? `no-reply@${new URL(e.APP_URL ?? publicUrl).hostname}`,
      folder: join(dataDir, 'mail'),
    },
    oidc: {
      google: identityProvider(e, 'GOOGLE', allowPrivateNetwork),
      microsoft: identityProvider(e, 'MICROSOFT', allowPrivateNetwork),
    },
    operator: operatorOf(e),
    supportContact: e.SUPPORT_CONTACT ?? null,
    kydRetentionDays: e.KYD_RETENTION_DAYS,
    retentionDays: {
      alerts: e.ALERT_RETENTION_DAYS,
      approvals: e.APPROVAL_RETENTION_DAYS,
      events: e.EVENT_RETENTION_DAYS,
    },
    metricsToken: e.METRICS_TOKEN,
    tracing: readTracingSettings(e),
    log: logOf(e, isTerminal),
  }
}

/** Says how to go on, too. The value is not repeated, because it may be a secret. */
function explainIssue(issue: z.core.$ZodIssue | undefined): string {
  const name = String(issue?.path[0])
  const byDefault = name in SETTINGS ? SETTINGS[name as keyof typeof SETTINGS].default : ''
  return `Setting ${name}: ${issue?.message}; correct it, or remove it for the default: ${byDefault}`
}

function logOf(
  { LOG_FORMAT: given, LOG_LEVEL: level }: z.infer<typeof environmentSchema>,
  isTerminal: boolean,
) {
  const format = given ?? (isTerminal ? 'text' : 'json')
  return { format, level: level ?? (format === 'text' ? 'warn' : 'info') }
}

/** Reads from a replica need PostgreSQL, positions in its log, and a URL that names one host. */
function refuseUnusableReplica(
  e: Pick<z.infer<typeof environmentSchema>, 'DATABASE_URL' | 'DATABASE_FEATURES' | 'READ_DATABASE_URL'>,
) {
  if (e.READ_DATABASE_URL === undefined) return
  if (e.DATABASE_URL === undefined)
    throw new Error('Setting READ_DATABASE_URL: there is a replica only of the PostgreSQL at DATABASE_URL')
  if (e.DATABASE_FEATURES !== 'full')
    throw new Error(
      'Setting READ_DATABASE_URL: requires DATABASE_FEATURES=full, for positions in the log of PostgreSQL',
    )
  if (splitDatabaseUrl(e.READ_DATABASE_URL).length > 1)
    throw new Error('Setting READ_DATABASE_URL: expected one host')
}

/** Several processes need shared parts: a database server, and a chain that outlives each of them. */
function refuseLonelyWorkers(e: z.infer<typeof environmentSchema>): void {
  if (e.WORKERS === 1) return
  if (e.DATABASE_URL === undefined) {
    throw new Error(
      `Setting WORKERS: ${e.WORKERS} processes need DATABASE_URL, because one SQLite file is written by one process`,
    )
  }
  if (e.RPC_URL === undefined) {
    throw new Error(
      `Setting WORKERS: ${e.WORKERS} processes need RPC_URL, because the local chain belongs to one process`,
    )
  }
}

/** Reads the first operator; null if none is configured. */
function operatorOf(e: z.infer<typeof environmentSchema>): { email: string; password: string } | null {
  const { SVC_OPERATOR_EMAIL: email, SVC_OPERATOR_PASSWORD: password } = e
  if (email === undefined && password === undefined) return null
  if (email === undefined || password === undefined) {
    const missing = email === undefined ? 'SVC_OPERATOR_EMAIL' : 'SVC_OPERATOR_PASSWORD'
    throw new Error(`Setting ${missing} is missing: an operator has both an address and a password`)
  }
  return { email, password }
}

/** Reads the settings of an identity provider; null if it is not configured. */
function identityProvider(
  e: z.infer<typeof environmentSchema>,
  name: 'GOOGLE' | 'MICROSOFT',
  allowPrivateNetwork: boolean,
) {
  const [given, id, secret] = [
    `OIDC_${name}_ISSUER` as const,
    `OIDC_${name}_CLIENT_ID` as const,
    `OIDC_${name}_CLIENT_SECRET` as const,
  ]
  const [issuer, clientId, clientSecret] = [e[given] ?? SETTINGS[given].default, e[id], e[secret]]
  if (clientId === undefined && clientSecret === undefined && e[given] === undefined) return null
  const missing = clientId === undefined ? id : clientSecret === undefined ? secret : null
  if (clientId === undefined || clientSecret === undefined) {
    throw new Error(`Setting ${missing} is missing: sign-in with this provider needs ${id} and ${secret}`)
  }
  if (!issuer.startsWith('https:') && !allowPrivateNetwork) {
    throw new Error(`Setting ${given}: expected an HTTPS address where ALLOW_PRIVATE_NETWORK is false`)
  }
  return { issuer, clientId, clientSecret }
}

function refuseUnknownNames(environment: Record<string, string | undefined>): void {
  for (const name of Object.keys(environment)) {
    const meant = settingMeantBy(name)
    if (meant !== null) throw new Error(`Setting ${name} is not known; is ${meant} meant?`)
  }
  const unknown = Object.keys(environment).find(
    (name) => !(name in SETTINGS) && OWN_PREFIXES.some((prefix) => name.startsWith(prefix)),
  )
  if (unknown) throw new Error(`Setting ${unknown} is not known; docs/configuration.md lists the settings`)
}
