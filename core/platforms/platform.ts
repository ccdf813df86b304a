import { z } from 'zod'

const TOKEN = /^[A-Za-z][A-Za-z0-9-]*$/
const HOST_PATTERN = /^(?:\*|[a-z0-9-]+(?:-\*)?)(?:\.[a-z0-9-]+){2,}$/

const address = z.url({ protocol: /^https?$/ })

const platformTokenSchema = z.strictObject({
  /** Name of the product in the user agent. */
  token: z.string().regex(TOKEN),
  /** An everyday word, which counts only with a version after it. */
  isWord: z.boolean().optional(),
  /** Addresses of the lists that hold every address requests with this token come from. */
  ipLists: z.array(address).optional(),
})

const platformSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  name: z.string().min(1).max(200),
  operator: z.string().min(1).max(200),
  /** Where the operator says what stands here; null when it publishes nothing and all is claim. */
  documentation: address.nullable(),
  /** Empty for a platform that is known by its signature alone. */
  tokens: z.array(platformTokenSchema),
  /** Names its addresses resolve to; see `matchesHostPattern`. */
  reverseDns: z.array(z.string().regex(HOST_PATTERN)).optional(),
  /** Origin whose key directory signs for it (Web Bot Auth). */
  signatureAgent: address.refine((text) => URL.parse(text)?.origin === text, 'expected an origin').optional(),
})

/** An assistant or crawler whose requests can be recognised. */
export type Platform = z.output<typeof platformSchema>

export type PlatformToken = z.output<typeof platformTokenSchema>

/** The file of recognised platforms; nothing in it stands twice, and no token that exists for robots.txt only. */
export const platformFileSchema = z
  .strictObject({
    /** Day on which the rows were held against the operators' documentation. */
    dated: z.iso.date(),
    /** Tokens no request carries: matching them would match forgeries only. */
    robotsOnlyTokens: z.array(z.string().regex(TOKEN)),
    platforms: z.array(platformSchema).min(1),
  })
  .refine(({ platforms }) => areDistinct(platforms.map(({ id }) => id)), 'an id stands twice')
  .refine(
    ({ platforms, robotsOnlyTokens }) =>
      areDistinct([
        ...robotsOnlyTokens,
        ...platforms.flatMap(({ tokens }) => tokens.map(({ token }) => token)),
      ]),
    'a token stands twice or is one for robots.txt only',
  )
  .refine(
    ({ platforms }) => areDistinct(platforms.flatMap(({ signatureAgent }) => signatureAgent ?? [])),
    'a signature agent stands twice',
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
