import { z } from 'zod'
import { counterpartyOf } from '../pdlss/counterparty.ts'
import { declarationParts } from './declarationParts.ts'
import { defineProtocol } from './defineProtocol.ts'

const { text, url, names, issuerKeys, block } = declarationParts

const CAPABILITIES = ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.fulfillment']

const declaration = block({
  manifestUrl: url.describe('URL of the manifest, such as https://shop.io/.well-known/ucp.'),
  version: text.optional().describe('Version of the protocol.'),
  capabilities: names(CAPABILITIES)
    .optional()
    .describe('Dotted names of the capabilities that the agent uses.'),
  issuerKeys: issuerKeys.optional().describe('Public keys (JWK) of those who sign mandates for the agent.'),
  transports: z
    .array(z.enum(['a2a', 'mcp', 'rest', 'embedded']))
    .max(100)
    .optional()
    .describe('Supported transports.'),
})

const PAYS = /(^|[._-])(checkouts?|payments?)([._-]|$)/i
const FULFILS = /(^|[._-])fulfill?ments?([._-]|$)/i

/** Universal Commerce Protocol. Source: Spec: Commerce protocol declarations; UCP. */
export const ucpProtocol = defineProtocol({
  declaration,
  confidential: [],
  prefillLists: ({ manifestUrl, capabilities = [] }) => ({
    categories: [
      ...(capabilities.some((name) => PAYS.test(name)) ? ['financial_transaction'] : []),
      ...(capabilities.some((name) => FULFILS.test(name)) ? ['execute_action'] : []),
    ],
    counterparties: [counterpartyOf(manifestUrl)],
  }),
})
