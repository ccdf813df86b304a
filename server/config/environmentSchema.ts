import { isIP } from 'node:net'
import { LOGS_MAX } from '@svc/core/audit/chooseLog.ts'
import { z } from 'zod'
import { FEATURE_SETS } from './featureSets.ts'
import { isAddressOrNetwork } from './isAddressOrNetwork.ts'
import { splitDatabaseUrl } from './splitDatabaseUrl.ts'

/** The highest rate, which stands for no limit. */
export const RATE_MAX = 100_000_000

const integer = (min: number, max: number) => {
  const expected = `expected a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, expected)
    .transform(Number)
    .pipe(z.number().min(min, expected).max(max, expected))
}
const rate = integer(1, RATE_MAX)
const boolean = z.enum(['true', 'false']).transform((text) => text === 'true')
const url = z
  .url({ protocol: /^https?$/, error: 'expected a URL that begins with http:// or https://' })
  .refine((text) => !/\s/.test(text), 'expected a URL without spaces')
  .transform((text) => text.replace(/\/+$/, ''))
/** A URL that paths are appended to, which would end up in its query or fragment. */
const baseUrl = url.refine((text) => !/[?#]/.test(text), 'expected a URL without query and fragment')
/** A base URL without the path that is appended to it. */
const baseUrlBefore = (path: string) =>
  baseUrl.refine((text) => !text.endsWith(path), `expected a URL without ${path}, which is appended`)
/** As browsers write it: what is derived from it is compared with what they send, and shown to everybody. */
const shownUrl = url
  .refine(
    (text) => new URL(text).username + new URL(text).password === '',
    'expected a URL without user and password',
  )
  .transform(normaliseUrl)
const shownBaseUrl = baseUrl.pipe(shownUrl)
const databaseUrl = z.string().transform((text, context) => {
  try {
    splitDatabaseUrl(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
  return text
})
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address of 20 bytes in hex')
/** Order of the group of secp256k1, below which private keys are. Source: SEC 2 §2.4.1. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'expected a key of 32 bytes in hex', abort: true })
  .refine(
    (text) => BigInt(text) > 0n && BigInt(text) < CURVE_ORDER,
    'expected a key of secp256k1, not 0 or above its order',
  )
const secretsKey = z
  .base64({ error: 'expected 32 bytes in base64', abort: true })
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'expected 32 bytes in base64')
/** An address, also of a host without a dot. Source: RFC 5322 §3.4. */
const MAILBOX = String.raw`[^\s"<>()[\],:;@\\]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*`
const MAILBOX_NAME = String.raw`("([^"\\]|\\.)*"\s*|[^"<>[\],:;@\\]*)`
const SENDER = new RegExp(`^(${MAILBOX}|${MAILBOX_NAME}<${MAILBOX}>)$`, 'u')
const SHARE = 'expected a number above 0 and up to 1'
const share = z.coerce.number(SHARE).gt(0, SHARE).max(1, SHARE)
const folder = z
  .string()
  .regex(
    /^(?!~)\S(.*\S)?$/,
    'expected a path without spaces around it, and without ~, which only a shell replaces',
  )
/** What another service has issued, copied from there. */
const issued = z.string().regex(/^\S(.*\S)?$/, 'expected a text without spaces or line breaks around it')
const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'expected a decimal number')

/** The settings as the environment gives them, each by itself; `readConfig` relates them to each other. */
export const environmentSchema = z.object({
  PORT: integer(0, 65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((proxy) => proxy.trim()))
    .pipe(z.array(z.string().refine(isAddressOrNetwork, 'expected addresses or networks, as 10.0.0.0/8')))
    .default([]),
  DATA_DIR: folder.optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_FEATURES: z.enum(FEATURE_SETS).default('full'),
  READ_DATABASE_URL: databaseUrl.optional(),
  WORKERS: integer(1, 64).default(1),
  REGISTRATION_FILES_DIR: folder.optional(),
  PUBLIC_URL: shownBaseUrl.optional(),
  APP_URL: shownBaseUrl.optional(),
  RPC_URL: url.optional(),
  PUBLIC_RPC_URL: shownUrl.optional(),
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
  AUDIT_LOGS: integer(1, LOGS_MAX).default(1),
  WITNESSES: z.string().default(''),
  FOREIGN_REGISTRIES: z.string().default(''),
  TRUST_HISTORY_SECONDS: integer(1, 3600).default(300),
  APPROVAL_MINUTES: integer(1, 1440).default(30),
  MAX_REQUESTS_AT_ONCE: integer(1, 1_000_000).default(2048),
  DRAIN_SECONDS: integer(0, 60).default(0),
  VERIFY_RATE_PER_MINUTE: rate.default(600),
  VERIFY_RATE_PER_MINUTE_PER_ACCOUNT: rate.optional(),
  API_RATE_PER_MINUTE: rate.default(120),
  API_RATE_PER_MINUTE_PER_ACCOUNT: rate.optional(),
  SIGN_IN_RATE_PER_15_MINUTES: rate.default(100),
  SIGN_UP_RATE_PER_HOUR: rate.optional(),
  REGISTRATION_RATE_PER_HOUR: rate.optional(),
  OUTREACH_RATE_PER_HOUR: rate.default(5),
  ALLOW_PRIVATE_NETWORK: boolean.optional(),
  ALLOW_SIGNED_REQUESTS_WITHOUT_SERVICE: boolean.default(true),
  DNS_SERVERS: z
    .string()
    .transform((text) => text.split(',').map((server) => server.trim()))
    .pipe(
      z.array(
        z
          .string()
          .refine(
            isNameServer,
            'expected addresses, with or without a port, as 1.1.1.1:53 or [2606:4700::1]:53',
          ),
      ),
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
  IPFS_API_URL: baseUrl.optional(),
  IPFS_GATEWAY_URL: baseUrlBefore('/ipfs').optional(),
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      hostname: /./,
      error: 'expected smtp:// or smtps:// and a host, with percent-encoded credentials',
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .max(320)
    .regex(/^[^\r\n]+$/, 'expected one line')
    .regex(SENDER, 'expected an address, as no-reply@example.com or Name <no-reply@example.com>')
    .optional(),
  SUPPORT_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https?$/ })], 'expected an e-mail address or a URL')
    .optional(),
  OIDC_GOOGLE_ISSUER: baseUrl.optional(),
  OIDC_GOOGLE_CLIENT_ID: issued.optional(),
  OIDC_GOOGLE_CLIENT_SECRET: issued.optional(),
  OIDC_MICROSOFT_ISSUER: baseUrl.optional(),
  OIDC_MICROSOFT_CLIENT_ID: issued.optional(),
  OIDC_MICROSOFT_CLIENT_SECRET: issued.optional(),
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
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrlBefore('/v1/traces').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .transform((text) => text.split(',').map((header) => header.trim()))
    .pipe(
      z.array(
        z.string().regex(/^[\w-]+=([!-$&-~]|%[2-7][\da-fA-F])*$/, 'expected name=value, percent-encoded'),
      ),
    )
    .default([]),
  OTEL_TRACES_SAMPLER_ARG: decimal.transform(Number).pipe(z.number().max(1)).default(1),
  LOG_FORMAT: z.enum(['json', 'text']).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
})

function isNameServer(text: string): boolean {
  const [, ipv4, ipv6, port] = /^(?:([\d.]+)|\[([\da-f:]+)\])(?::(\d{1,5}))?$/i.exec(text) ?? []
  return isIP(ipv4 ?? ipv6 ?? '') !== 0 && Number(port ?? 53) <= 65_535
}

/** Scheme and host in lower case, without the default port and slashes at the end. */
function normaliseUrl(text: string): string {
  return new URL(text).href.replace(/\/+$/, '')
}

/** The settings that were read, by name. */
export type Environment = z.infer<typeof environmentSchema>
