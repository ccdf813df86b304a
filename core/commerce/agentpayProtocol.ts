import { counterpartyOf } from '../pdlss/counterparty.ts'
import type { CommerceProtocol } from './commerceProtocol.ts'
import { declarationParts } from './declarationParts.ts'

const { text, texts, name, merchantDomains, block } = declarationParts

const declaration = block({
  mastercardAgentId: text.describe('Identifier of the agent with the network.'),
  publicKey: text.describe('Key of the agent.'),
  signatureAlgorithm: name(['ecdsa-p256-sha256']).optional().describe('What the key signs with.'),
  allowedMerchantDomains: merchantDomains
    .optional()
    .describe('Host names of merchants; *.host for all below.'),
  tokenBindingScope: text.optional().describe('What a payment token is bound to.'),
  dtvcFormats: texts.optional().describe('Formats of its credentials.'),
  consumerIdvMethod: text.optional().describe('How the consumer was identified.'),
})

/** Agent Pay. Source: Spec: Commerce protocol declarations. */
export const agentpayProtocol = {
  declaration,
  prefill: ({ allowedMerchantDomains = [] }) => ({
    categories: ['financial_transaction'],
    counterparties: allowedMerchantDomains.map(counterpartyOf),
  }),
} satisfies CommerceProtocol<typeof declaration>
