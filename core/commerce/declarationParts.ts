import { z } from 'zod'
import { countSignificantDigits } from '../decimal.ts'
import { isDeeperThan, isJsonObject } from '../json.ts'
import { counterpartyOf } from '../pdlss/counterparty.ts'
import { merchantEntryOf } from './merchantEntryOf.ts'

/** Blocks are stored unchanged, so their nesting is limited here. */
const DEPTH_MAX = 16
const ITEMS_MAX = 100

const text = z.string().min(1).max(2_048)

/** The building blocks of the nine declarations. Amounts and codes have the form of a boundary's. */
export const declarationParts = {
  text,
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  texts: z.array(text).max(ITEMS_MAX),
  /** The same amounts as in the boundary's limits. */
  money: z
    .number()
    .min(0)
    .max(1e15)
    .refine(
      (value) => countSignificantDigits(value) <= 15,
      'expected an amount of at most 15 significant digits',
    ),
  /** In upper or lower case; protocols differ. */
  currency: z.string().regex(/^[A-Za-z]{3,10}$/, 'expected 3 to 10 letters, such as USD or USDC'),
  /** A currency as payment protocols write it; `currencyOf` finds the boundary's code. */
  token: z
    .string()
    .max(64)
    .regex(
      /^(0x[0-9A-Fa-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|\p{L}[\p{L}\p{N}\p{Sc}._+-]{1,19})$/u,
      'expected an ISO code, or the symbol or address of a token, such as USD, USDC.e or 0x20c0…',
    ),
  /** PEM, a JWK or whatever else identifies the key; cards publish it, so it must not be a private one. */
  publicKey: z
    .union([text, z.looseObject({ kty: text })], 'expected a public key as text or JWK')
    .refine((key) => !isPrivateKey(key), 'expected a public key, but this is a private or secret one'),
  /** JWKs of whoever signs the mandates of the agent; a `kid` names the key in their headers. */
  issuerKeys: z
    .array(z.looseObject({ kty: text }).refine((key) => !isPrivateKey(key), 'expected a public key'))
    .max(10),
  /** A name, a domain or a URL; or, as in Verifiable Intent, an object. */
  merchant: z
    .union(
      [
        z.string().min(1).max(2_048),
        z.looseObject({ id: text.optional(), name: text, website: text.optional() }),
      ],
      'expected a name, a domain, a URL or {name, website}',
    )
    .refine(
      (merchant) => merchantEntryOf(merchant) !== undefined,
      'expected a domain, a URL, or at most 200 characters without control characters',
    ),
  region: z.string().regex(/^[^\p{Cc}\s]{1,64}$/u, 'expected a code without spaces or control characters'),
  merchantId: z
    .string()
    .regex(/^[^\p{Cc}\s]{1,200}$/u, 'expected at most 200 characters without spaces or control characters'),
  merchantDomains: z
    .array(z.string().max(260).refine(isMerchantDomain, 'expected a host name, *.host name or a URL'))
    .max(ITEMS_MAX),

  /** A block; unknown members are stored unchanged. */
  block: <Shape extends z.ZodRawShape>(shape: Shape) =>
    z
      .looseObject(shape)
      .refine((value) => !isDeeperThan(value, DEPTH_MAX), `expected at most ${DEPTH_MAX} levels of nesting`),

  /** Names that grow with the protocol: known ones are suggested, others are accepted. */
  names: (known: readonly string[]) => z.array(text.meta({ examples: [...known] })).max(ITEMS_MAX),
  name: (known: readonly string[]) => text.meta({ examples: [...known] }),
}

/** The members of a JWK that are secret. Source: RFC 7518 §6.2.2, §6.3.2, §6.4. */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

function isPrivateKey(key: unknown): boolean {
  if (typeof key === 'string') return key.includes('PRIVATE KEY')
  return isJsonObject(key) && SECRET_MEMBERS.some((member) => member in key)
}

function isMerchantDomain(entry: string): boolean {
  const found = counterpartyOf(entry)
  return found !== undefined && !found.startsWith('merchant:')
}
