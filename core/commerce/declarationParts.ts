import { z } from 'zod'
import { countSignificantDigits } from '../decimal.ts'
import { isDeeperThan } from '../json.ts'
import { counterpartyOf } from '../pdlss/counterparty.ts'

/** Blocks are kept as they are, so their nesting is bounded here. */
const DEPTH_MAX = 16
const ITEMS_MAX = 100

const text = z.string().min(1).max(2_048)

/** What the declarations of the nine protocols are made of. Amounts and codes are those a boundary can hold. */
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
  /** In any case; protocols differ. */
  currency: z.string().regex(/^[A-Za-z]{3,10}$/, 'expected 3 to 10 letters, such as USD or USDC'),
  region: z.string().regex(/^[^\p{Cc}\s]{1,64}$/u, 'expected a code without spaces or control characters'),
  merchantId: z
    .string()
    .regex(/^[^\p{Cc}\s]{1,200}$/u, 'expected at most 200 characters without spaces or control characters'),
  merchantDomains: z
    .array(
      z.string().max(260).refine(isMerchantDomain, 'expected a host name, *.host name or the URL of one'),
    )
    .max(ITEMS_MAX),

  /** A block: members that are not named here are kept as they are. */
  block: <Shape extends z.ZodRawShape>(shape: Shape) =>
    z
      .looseObject(shape)
      .refine((value) => !isDeeperThan(value, DEPTH_MAX), `expected at most ${DEPTH_MAX} levels of nesting`),

  /** Names of a list that grows with the protocol: those known today are offered, others are taken. */
  names: (known: readonly string[]) => z.array(text.meta({ examples: [...known] })).max(ITEMS_MAX),
  name: (known: readonly string[]) => text.meta({ examples: [...known] }),
}

function isMerchantDomain(entry: string): boolean {
  const found = counterpartyOf(entry)
  return found !== undefined && !found.startsWith('merchant:')
}
