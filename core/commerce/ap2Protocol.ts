import { z } from 'zod'
import { declarationParts } from './declarationParts.ts'
import { defineProtocol } from './defineProtocol.ts'

const { text, money, currency, region, issuerKeys, block } = declarationParts

/** Names of AP2 0.1, then of 0.2. */
const MANDATES = [
  'intent',
  'cart',
  'payment',
  'mandate.checkout.1',
  'mandate.checkout.open.1',
  'mandate.payment.1',
  'mandate.payment.open.1',
] as const

const declaration = block({
  agentDid: text.describe('Decentralised identifier (DID) of the agent.'),
  policyClaims: z
    .looseObject({
      maxTransactionValue: money
        .optional()
        .describe(
          'Maximum amount of one transaction, in whole units of the first currency (19.99, not 1999).',
        ),
      allowedCurrencies: z
        .array(currency)
        .max(100)
        .optional()
        .describe('Currency codes; the first applies to the boundary.'),
      allowedRegions: z.array(region).max(100).optional().describe('Jurisdiction codes.'),
    })
    .optional(),
  delegationEnabled: z.boolean().optional().describe('Whether the agent may delegate to sub-agents.'),
  issuerKeys: issuerKeys.optional().describe('Public keys (JWK) of those who sign mandates for the agent.'),
  mandateTypes: z.array(z.enum(MANDATES)).max(100).optional().describe('Mandates that the agent acts under.'),
})

/** Agent Payments Protocol. Source: Spec: Commerce protocol declarations; AP2 0.1 and 0.2. */
export const ap2Protocol = defineProtocol({
  declaration,
  confidential: ['policyClaims', 'delegationEnabled'],
  prefillLimits: ({ policyClaims, delegationEnabled }) => ({
    spendMax: policyClaims?.maxTransactionValue,
    currency: policyClaims?.allowedCurrencies?.[0]?.toUpperCase(),
    allowsSubAgents: delegationEnabled,
  }),
  prefillLists: ({ policyClaims }) => ({ jurisdictions: policyClaims?.allowedRegions ?? [] }),
})
