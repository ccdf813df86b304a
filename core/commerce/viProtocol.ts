import { z } from 'zod'
import { counterpartyOf } from '../pdlss/counterparty.ts'
import type { CommerceProtocol } from './commerceProtocol.ts'
import { declarationParts } from './declarationParts.ts'

const { text, texts, money, currency, merchantId, block } = declarationParts

const merchant = z.union(
  [merchantId, declarationParts.url],
  'expected a domain, a URL or a merchant identifier',
)

const declaration = block({
  executionMode: z
    .enum(['Immediate', 'Autonomous', 'Both'])
    .describe('Whether a person is present at a purchase.'),
  publicKey: text.describe('Public key of the agent.'),
  kid: text.optional().describe('Identifier of the key.'),
  credentialProvider: text.optional().describe('Issuer of the agent’s credential.'),
  supportedMandateTypes: texts.optional().describe('Mandates that the agent acts under.'),
  defaultConstraints: z
    .looseObject({
      paymentAmount: z
        .looseObject({
          currency: currency.optional().describe('Currency of the amount.'),
          max: money.optional().describe('Maximum amount of one payment.'),
        })
        .optional(),
      allowedMerchants: z.array(merchant).max(100).optional().describe('Merchant domains or identifiers.'),
    })
    .optional(),
  budgetLimits: z.unknown().optional().describe('Budgets, in the format of the protocol.'),
})

/** Verifiable Intent. Source: Spec: Commerce protocol declarations; Verifiable Intent 0.1. */
export const viProtocol = {
  declaration,
  prefill: ({ executionMode, defaultConstraints }) => ({
    spendMax: defaultConstraints?.paymentAmount?.max,
    currency: defaultConstraints?.paymentAmount?.currency?.toUpperCase(),
    counterparties: (defaultConstraints?.allowedMerchants ?? []).map(entryOf),
    allowsSubAgents: executionMode !== 'Immediate',
  }),
} satisfies CommerceProtocol<typeof declaration>

/** A name without a dot is not a domain but the identifier of a merchant. */
function entryOf(merchant: string): string | undefined {
  if (merchant.startsWith('merchant:') || /^https?:\/\//i.test(merchant)) return counterpartyOf(merchant)
  return (merchant.includes('.') ? counterpartyOf(merchant) : undefined) ?? `merchant:${merchant}`
}
