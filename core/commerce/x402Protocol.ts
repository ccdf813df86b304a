import { z } from 'zod'
import { counterpartyOf } from '../pdlss/counterparty.ts'
import { currencyOf } from './currencyOf.ts'
import { declarationParts } from './declarationParts.ts'
import { defineProtocol } from './defineProtocol.ts'

const { text, url, money, token, names, block } = declarationParts

/** The tokens of a declaration without `supportedTokens`. Spec: Commerce protocol declarations. */
const DEFAULT_TOKENS = ['USDC']

const declaration = block({
  walletAddress: text.describe('Wallet address that pays or receives payments.'),
  supportedChains: names(['eip155:8453', 'base'])
    .optional()
    .describe('CAIP-2 identifiers or names of chains.'),
  supportedTokens: z
    .array(token.meta({ examples: DEFAULT_TOKENS }))
    .max(100)
    .optional()
    .describe('Symbols or addresses of tokens, or ISO codes; USDC by default.'),
  facilitatorUrl: url.optional().describe('URL of the facilitator that settles payments.'),
  spendingLimit: money
    .optional()
    .describe('Maximum amount of one payment, in whole units of the token (19.99, not 19990000).'),
})

/** x402. Source: Spec: Commerce protocol declarations; x402 v2. */
export const x402Protocol = defineProtocol({
  declaration,
  confidential: ['supportedTokens', 'spendingLimit'],
  prefillLimits: ({ supportedTokens = DEFAULT_TOKENS, spendingLimit }) => ({
    spendMax: spendingLimit,
    currency: codeOf(supportedTokens.map(currencyOf), spendingLimit),
  }),
  prefillLists: ({ facilitatorUrl }) => ({
    counterparties: [facilitatorUrl && counterpartyOf(facilitatorUrl)],
  }),
})

/** USDC when listed; otherwise a limit is in the first token. Spec: Commerce protocol declarations. */
function codeOf(
  codes: readonly (string | undefined)[],
  spendingLimit: number | undefined,
): string | undefined {
  if (codes.includes('USDC')) return 'USDC'
  return spendingLimit === undefined ? undefined : codes[0]
}
