import { join, resolve } from 'node:path'
import type { z } from 'zod'
import { type Environment, environmentSchema, RATE_MAX } from './config/environmentSchema.ts'
import { omitServiceLinks } from './config/omitServiceLinks.ts'
import { readForeignRegistries } from './config/readForeignRegistries.ts'
import { readSettingFiles } from './config/readSettingFiles.ts'
import { readTracingSettings } from './config/readTracingSettings.ts'
import { readWitnessSettings } from './config/readWitnessSettings.ts'
import { settingMeantBy } from './config/settingMeantBy.ts'
import { SETTINGS } from './config/settings.ts'
import { splitDatabaseUrl } from './config/splitDatabaseUrl.ts'

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

/** If mails are written to files, nobody is mailed, and integration tests open accounts by the hundred. */
const SIGN_UPS_MAILED = 30
/** On the local chain, gas is free, and integration tests register agents by the hundred. */
const REGISTRATIONS_PAID = 20
const DAILY_BUDGET_ETH = '1'
/** Keys whose whole budget an account may use at the same time. */
const BUSY_KEYS_MAX = 10

export type Config = ReturnType<typeof readConfig>

/**
 * Reads the configuration from an environment and the files that it names, once, at the start.
 *
 * @param isTerminal Whether a person reads the output.
 * @throws Error whose message names the first invalid or unknown setting; `main.ts` prints it and exits.
 */
export function readConfig(given: Record<string, string | undefined>, isTerminal = false) {
  const environment = readSettingFiles(omitServiceLinks(given))
  refuseUnknownNames(environment)
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = environmentSchema.safeParse(present)
  if (!parsed.success) {
    throw new Error(explainIssue(parsed.error.issues[0], given))
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
  refuseNestedDashboard(e)
  const dataDir = resolve(e.DATA_DIR ?? 'data')
  const allowPrivateNetwork = e.ALLOW_PRIVATE_NETWORK ?? local
  return {
    http: {
      port: e.PORT,
      host: e.HOST,
      maxAtOnce: e.MAX_REQUESTS_AT_ONCE,
      drainSeconds: e.DRAIN_SECONDS,
      trustedProxies: e.TRUSTED_PROXIES,
    },
    workers: e.WORKERS,
    dataDir,
    databaseUrl: e.DATABASE_URL,
    databaseFeatures: e.DATABASE_FEATURES,
    readDatabaseUrl: e.READ_DATABASE_URL,
    databaseFile: join(dataDir, 'svc.sqlite'),
    feedFile: join(dataDir, 'feed.sqlite'),
    registrationFilesDir: resolve(
      e.REGISTRATION_FILES_DIR ?? join(e.DATA_DIR === undefined ? '.' : dataDir, 'registration-files'),
    ),
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
    audit: { batchSize: e.AUDIT_BATCH_SIZE, batchSeconds: e.AUDIT_BATCH_SECONDS, logs: e.AUDIT_LOGS },
    witnesses: readWitnessSettings(e.WITNESSES, allowPrivateNetwork),
    foreignRegistries: readForeignRegistries(e.FOREIGN_REGISTRIES, allowPrivateNetwork),
    trustHistorySeconds: e.TRUST_HISTORY_SECONDS,
    approvalMinutes: e.APPROVAL_MINUTES,
    rates: {
      verifyPerMinute: e.VERIFY_RATE_PER_MINUTE,
      verifyPerMinutePerAccount:
        e.VERIFY_RATE_PER_MINUTE_PER_ACCOUNT ?? e.VERIFY_RATE_PER_MINUTE * BUSY_KEYS_MAX,
      apiPerMinute: e.API_RATE_PER_MINUTE,
      apiPerMinutePerAccount: e.API_RATE_PER_MINUTE_PER_ACCOUNT ?? e.API_RATE_PER_MINUTE * BUSY_KEYS_MAX,
      signInsPerAddress: e.SIGN_IN_RATE_PER_15_MINUTES,
      signUpsPerHour: e.SIGN_UP_RATE_PER_HOUR ?? (e.SMTP_URL === undefined ? RATE_MAX : SIGN_UPS_MAILED),
      registrationsPerHour: e.REGISTRATION_RATE_PER_HOUR ?? (local ? RATE_MAX : REGISTRATIONS_PAID),
      outreachPerHour: e.OUTREACH_RATE_PER_HOUR,
    },
    allowPrivateNetwork,
    dnsServers: e.DNS_SERVERS,
    publishFeedback: e.PUBLISH_FEEDBACK,
    allowSignedRequestsWithoutService: e.ALLOW_SIGNED_REQUESTS_WITHOUT_SERVICE,
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
      google: readIdentityProvider(e, 'GOOGLE', allowPrivateNetwork),
      microsoft: readIdentityProvider(e, 'MICROSOFT', allowPrivateNetwork),
    },
    operator: readOperator(e),
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
function explainIssue(issue: z.core.$ZodIssue | undefined, given: Parameters<typeof readConfig>[0]): string {
  const name = String(issue?.path[0])
  const variable = given[name] ? name : `${name}_FILE`
  const byDefault = name in SETTINGS ? SETTINGS[name as keyof typeof SETTINGS].default : ''
  return `Setting ${variable}: ${issue?.message}; correct it, or remove it for the default: ${byDefault}`
}

/** The dashboard and its cookies are for the root of a host. */
function refuseNestedDashboard({ PUBLIC_URL, APP_URL }: Environment): void {
  const isNested = (url: string) => new URL(url).pathname !== '/'
  if (APP_URL !== undefined && isNested(APP_URL)) {
    throw new Error(
      'Setting APP_URL: expected a URL without a path, because the dashboard works only at the root of a host',
    )
  }
  if (APP_URL === undefined && PUBLIC_URL !== undefined && isNested(PUBLIC_URL)) {
    throw new Error(
      'Setting APP_URL is required when PUBLIC_URL has a path: the dashboard works only at the root of a host',
    )
  }
}

function logOf({ LOG_FORMAT: given, LOG_LEVEL: level }: Environment, isTerminal: boolean) {
  const format = given ?? (isTerminal ? 'text' : 'json')
  return { format, level: level ?? (format === 'text' ? 'warn' : 'info') }
}

/** Reads from a replica need PostgreSQL, positions in its log, and a URL that names one host. */
function refuseUnusableReplica(
  e: Pick<Environment, 'DATABASE_URL' | 'DATABASE_FEATURES' | 'READ_DATABASE_URL'>,
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
function refuseLonelyWorkers(e: Environment): void {
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
function readOperator(e: Environment): { email: string; password: string } | null {
  const { SVC_OPERATOR_EMAIL: email, SVC_OPERATOR_PASSWORD: password } = e
  if (email === undefined && password === undefined) return null
  if (email === undefined || password === undefined) {
    const missing = email === undefined ? 'SVC_OPERATOR_EMAIL' : 'SVC_OPERATOR_PASSWORD'
    throw new Error(`Setting ${missing} is missing: an operator has both an address and a password`)
  }
  return { email, password }
}

/** Reads the settings of an identity provider; null if it is not configured. */
function readIdentityProvider(e: Environment, name: 'GOOGLE' | 'MICROSOFT', allowPrivateNetwork: boolean) {
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

/** What the gate and the examples read, which a terminal that has followed a quickstart exports. */
const CLIENTS_NAME = /^SVC_(API_BASE_URL|API_KEY|API_KEY_FILE|SHOP_ID|MCP_SERVER_ID|AGENT_\w+|GATE_\w+)$/

function refuseUnknownNames(environment: Record<string, string | undefined>): void {
  for (const name of Object.keys(environment)) {
    const meant = settingMeantBy(name)
    if (meant !== null) throw new Error(`Setting ${name} is not known; did you mean ${meant}?`)
  }
  const unknown = Object.keys(environment).find(
    (name) =>
      !(name in SETTINGS) &&
      !CLIENTS_NAME.test(name) &&
      OWN_PREFIXES.some((prefix) => name.startsWith(prefix)),
  )
  if (unknown) throw new Error(`Setting ${unknown} is not known; docs/configuration.md lists the settings`)
}
