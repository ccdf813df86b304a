import { z } from 'zod'

const TOKEN = /^[A-Za-z][A-Za-z0-9-]*$/
const HOST_PATTERN = /^(?:\*|[a-z0-9-]+(?:-\*)?)(?:\.[a-z0-9-]+){2,}$/

const address = z.url({ protocol: /^https?$/ })

const platformTokenSchema = z.strictObject({
  /** Name of the product in the user agent. */
  token: z.string().regex(TOKEN),
  /** An everyday word, which counts only if a version follows. */
  isWord: z.boolean().optional(),
  /** URLs of the lists of all addresses that send requests with this token. */
  ipLists: z.array(address).optional(),
})

const platformSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  name: z.string().min(1).max(200),
  operator: z.string().min(1).max(200),
  /** Where the operator documents this; null if it publishes nothing and the user agent is the only evidence. */
  documentation: address.nullable(),
  /** Empty for a platform that is recognised only by its signature. */
  tokens: z.array(platformTokenSchema),
  /** Host names that its addresses resolve to; see `matchesHostPattern`. */
  reverseDns: z.array(z.string().regex(HOST_PATTERN)).optional(),
  /** What its signatures name as `Signature-Agent` (Web Bot Auth): the origin of its key directory, or its JWK Set. */
  signatureAgent: address
    .refine(isSigner, 'expected an origin, or a URL without query and fragment')
    .optional(),
})

/** Whether a text is the normal form of an origin, or of a URL below one. */
function isSigner(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || text === url.origin) return url !== null
  return text === url.href && text === url.origin + url.pathname && url.pathname !== '/'
}

/** An assistant or crawler whose requests can be recognised. */
export type Platform = z.output<typeof platformSchema>

export type PlatformToken = z.output<typeof platformTokenSchema>

/** The file of recognised platforms, without duplicates and without tokens that exist only for robots.txt. */
export const platformFileSchema = z
  .strictObject({
    /** The day on which the rows were checked against the operators' documentation. */
    dated: z.iso.date(),
    /** Tokens that no genuine request carries: only forgeries would match. */
    robotsOnlyTokens: z.array(z.string().regex(TOKEN)),
    platforms: z.array(platformSchema).min(1),
  })
  .refine(({ platforms }) => areDistinct(platforms.map(({ id }) => id)), 'an id occurs twice')
  .refine(
    ({ platforms, robotsOnlyTokens }) =>
      areDistinct([
        ...robotsOnlyTokens,
        ...platforms.flatMap(({ tokens }) => tokens.map(({ token }) => token)),
      ]),
    'a token occurs twice or is only for robots.txt',
  )
  .refine(
    ({ platforms }) => areDistinct(platforms.flatMap(({ signatureAgent }) => signatureAgent ?? [])),
    'a signature agent occurs twice',
  )

export type PlatformFile = z.output<typeof platformFileSchema>

function areDistinct(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size === names.length
}

/**
 * The grades of evidence that a request comes from the platform it names, weakest first.
 *
 * `ip_verified` and `fcrdns_verified` rank equally. The counterparty reports address and user agent, so that evidence is
 * only as reliable as the counterparty. `signature_verified` depends only on the platform's key.
 */
export const EVIDENCE_GRADES = ['ua_claim', 'fcrdns_verified', 'ip_verified', 'signature_verified'] as const

export type EvidenceGrade = (typeof EVIDENCE_GRADES)[number]
