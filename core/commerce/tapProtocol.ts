import { z } from 'zod'
import { counterpartyOf } from '../pdlss/counterparty.ts'
import type { CommerceProtocol } from './commerceProtocol.ts'
import { declarationParts } from './declarationParts.ts'

const { text, name, merchantDomains, block } = declarationParts

const ALGORITHMS = ['rsa-pss-sha512', 'rsa-pss-sha256', 'ed25519']

const declaration = block({
  visaAgentId: text.describe('Identifier of the agent with the network.'),
  publicKey: text.describe('Key of the agent.'),
  signatureAlgorithm: name(ALGORITHMS).optional().describe('What the key signs with.'),
  allowedMerchantDomains: merchantDomains
    .optional()
    .describe('Host names of merchants; *.host for all below.'),
  tokenType: text.optional().describe('Kind of payment token.'),
  passkeyEnrolled: z.boolean().optional().describe('Whether the consumer has a passkey.'),
})

/** Trusted Agent Protocol. Source: Spec: Commerce protocol declarations; RFC 9421. */
export const tapProtocol = {
  declaration,
  prefill: ({ allowedMerchantDomains = [] }) => ({
    counterparties: allowedMerchantDomains.map(counterpartyOf),
  }),
} satisfies CommerceProtocol<typeof declaration>
