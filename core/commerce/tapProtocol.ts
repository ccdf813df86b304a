import { z } from 'zod'
import { counterpartyOf } from '../pdlss/counterparty.ts'
import { declarationParts } from './declarationParts.ts'
import { defineProtocol } from './defineProtocol.ts'

const { text, publicKey, merchantDomains, block } = declarationParts

const ALGORITHMS = ['rsa-pss-sha512', 'rsa-pss-sha256', 'ed25519'] as const

const declaration = block({
  visaAgentId: text.describe('Identifier of the agent in the network.'),
  publicKey: publicKey.describe('Public key of the agent, as text or JWK.'),
  signatureAlgorithm: z.enum(ALGORITHMS).optional().describe('Signature algorithm of the key.'),
  allowedMerchantDomains: merchantDomains
    .optional()
    .describe('Host names of merchants; *.host includes all subdomains.'),
  tokenType: text.optional().describe('Type of the payment token.'),
  passkeyEnrolled: z.boolean().optional().describe('Whether the consumer has a passkey.'),
})

/** Trusted Agent Protocol. Source: Spec: Commerce protocol declarations; RFC 9421. */
export const tapProtocol = defineProtocol({
  declaration,
  confidential: ['allowedMerchantDomains'],
  prefillLists: ({ allowedMerchantDomains = [] }) => ({
    counterparties: allowedMerchantDomains.map(counterpartyOf),
  }),
})
