import { z } from 'zod'
import { IDENTITY_PROOFS } from '../access/identityProof.ts'
import { MONEY_MAX } from '../access/verificationLimits.ts'
import { countSignificantDigits } from '../decimal.ts'

/** The longest time for which an owner can approve in advance. */
export const STANDING_DAYS_MAX = 90

const decimal = z.string().describe('Decimal')
const currency = z.string().nullable().describe('Null for amounts without a currency')

/** Schemas about spending that an owner approves in advance. */
export const standingSchemas = {
  /** What the owner chooses; agent, counterparty and currency are those of the approval. */
  terms: z.strictObject({
    amount: z
      .number()
      .gt(0)
      .max(MONEY_MAX)
      .refine(
        (amount) => countSignificantDigits(amount) <= 15,
        'expected an amount of at most 15 significant digits',
      )
      .describe('How much may be spent in all, including the request at hand'),
    days: z.int().min(1).max(STANDING_DAYS_MAX),
  }),
  /** What can be approved in advance together with a request. */
  offer: z.object({
    currency,
    minAmount: z.number().describe('The amount of the request, which counts first'),
    daysMax: z.number(),
  }),
  rule: z.object({
    ruleId: z.string(),
    endpointId: z.string(),
    endpointName: z.string().nullable(),
    endpointHost: z.string().nullable(),
    currency,
    amount: decimal,
    used: decimal,
    minIdentityProof: z.enum(IDENTITY_PROOFS).describe('A request that proves less is held'),
    createdAt: z.string(),
    expiresAt: z.string(),
  }),
} as const

/** What an owner chooses when approving in advance. */
export type StandingTerms = z.output<typeof standingSchemas.terms>

/** What can be approved in advance together with a request. */
export type StandingOffer = z.output<typeof standingSchemas.offer>

/** Spending that an owner approved in advance, as a rule of the agent. */
export type StandingRule = z.output<typeof standingSchemas.rule>
