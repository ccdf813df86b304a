import { z } from 'zod'
import type { CommerceProtocol } from './commerceProtocol.ts'
import { declarationParts } from './declarationParts.ts'

const { text, money, currency, region, names, block } = declarationParts

/** Names of AP2 0.1, then of 0.2. */
const MANDATES = ['intent', 'cart', 'payment', 'mandate.checkout.1', 'mandate.payment.1']

const declaration = block({
  agentDid: text.describe('Decentralised identifier (DID) of the agent.'),
  policyClaims: z
    .looseObject({
      maxTransactionValue: money.optional().describe('Maximum amount of one transaction.'),
      allowedCurrencies: z
        .array(currency)
        .max(100)
        .optional()
        .describe('Currency codes; the first applies to the boundary.'),
      allowedRegions: z.array(region).max(100).optional().describe('Jurisdiction codes.'),
    })
    .optional(),
  delegationEnabled: z.boolean().optional().describe('Whether the agent may delegate to sub-agents.'),
  mandateTypes: names(MANDATES).optional().describe('Mandates that the agent acts under.'),
})

/** Agent Payments Protocol. Source: Spec: Commerce protocol declarations; AP2 0.1 and 0.2. */
export const ap2Protocol = {
  declaration,
  prefill: ({ policyClaims, delegationEnabled }) => ({
    spendMax: policyClaims?.maxTransactionValue,
    currency: policyClaims?.allowedCurrencies?.[0]?.toUpperCase(),
    jurisdictions: policyClaims?.allowedRegions ?? [],
    allowsSubAgents: delegationEnabled,
  }),
} satisfies CommerceProtocol<typeof declaration>
