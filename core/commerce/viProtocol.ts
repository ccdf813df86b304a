import { z } from 'zod'
import { DEFAULT_CURRENCY } from './commerceProtocol.ts'
import { convertMinorUnits } from './convertMinorUnits.ts'
import { declarationParts } from './declarationParts.ts'
import { defineProtocol } from './defineProtocol.ts'
import { merchantEntryOf } from './merchantEntryOf.ts'

const { text, texts, money, currency, merchant, publicKey, block } = declarationParts

const declaration = block({
  executionMode: z
    .enum(['Immediate', 'Autonomous', 'Both'])
    .describe('Whether a person is present at a purchase.'),
  publicKey: publicKey.describe('Public key of the agent, as text or JWK.'),
  kid: text.optional().describe('Identifier of the key.'),
  credentialProvider: text.optional().describe('Issuer of the agent’s credential.'),
  supportedMandateTypes: texts.optional().describe('Mandates that the agent acts under.'),
  defaultConstraints: z
    .looseObject({
      paymentAmount: z
        .looseObject({
          currency: currency.optional().describe('Currency of the amount; USD by default.'),
          max: money
            .int('expected an integer, in minor units of the currency')
            .optional()
            .describe('Maximum amount of one payment, in minor units of the currency (1999 is 19.99 USD).'),
        })
        .optional(),
      allowedMerchants: z
        .array(merchant)
        .max(100)
        .optional()
        .describe('Merchants: names, domains or URLs, or objects with `name` and `website`.'),
    })
    .optional(),
  budgetLimits: z.unknown().optional().describe('Budgets, in the format of the protocol.'),
})

/**
 * Verifiable Intent, whose amounts are integers in minor units and whose merchants are objects.
 *
 * Source: Spec: Commerce protocol declarations; Verifiable Intent 0.1, "Constraint Type Definitions" §4.3, §4.4.
 */
export const viProtocol = defineProtocol({
  declaration,
  confidential: ['executionMode', 'defaultConstraints', 'budgetLimits'],
  prefillLimits: ({ executionMode, defaultConstraints }) => {
    const { currency, max } = defaultConstraints?.paymentAmount ?? {}
    const code = currency?.toUpperCase()
    return {
      spendMax: max === undefined ? undefined : convertMinorUnits(max, code ?? DEFAULT_CURRENCY),
      currency: code,
      allowsSubAgents: executionMode !== 'Immediate',
    }
  },
  prefillLists: ({ defaultConstraints }) => ({
    counterparties: (defaultConstraints?.allowedMerchants ?? []).map(merchantEntryOf),
  }),
})
