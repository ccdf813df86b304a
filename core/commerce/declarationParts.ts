import { z } from 'zod'
import { countSignificantDigits } from '../decimal.ts'
import { isDeeperThan } from '../json.ts'
import { counterpartyOf } from '../pdlss/counterparty.ts'

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

function isMerchantDomain(entry: string): boolean {
  const found = counterpartyOf(entry)
  return found !== undefined && !found.startsWith('merchant:')
}
