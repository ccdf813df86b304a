import { counterpartyOf } from '../pdlss/counterparty.ts'
import { declarationParts } from './declarationParts.ts'
import { defineProtocol } from './defineProtocol.ts'

const { text, texts, publicKey, name, merchantDomains, block } = declarationParts

const declaration = block({
  mastercardAgentId: text.describe('Identifier of the agent in the network.'),
  publicKey: publicKey.describe('Public key of the agent, as text or JWK.'),
  signatureAlgorithm: name(['ecdsa-p256-sha256']).optional().describe('Signature algorithm of the key.'),
  allowedMerchantDomains: merchantDomains
    .optional()
    .describe('Host names of merchants; *.host includes all subdomains.'),
  tokenBindingScope: text.optional().describe('Scope that a payment token is bound to.'),
  dtvcFormats: texts.optional().describe('Formats of the agent’s credentials.'),
  consumerIdvMethod: text.optional().describe('Method by which the consumer was identified.'),
})

/** Agent Pay. Source: Spec: Commerce protocol declarations. */
export const agentpayProtocol = defineProtocol({
  declaration,
  confidential: ['allowedMerchantDomains'],
  prefillLists: ({ allowedMerchantDomains = [] }) => ({
    categories: ['financial_transaction'],
    counterparties: allowedMerchantDomains.map(counterpartyOf),
  }),
})
