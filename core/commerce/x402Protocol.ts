import { counterpartyOf } from '../pdlss/counterparty.ts'
import type { CommerceProtocol } from './commerceProtocol.ts'
import { declarationParts } from './declarationParts.ts'

const { text, url, money, names, block } = declarationParts

/** The tokens of a declaration without `supportedTokens`. Spec: Commerce protocol declarations. */
const DEFAULT_TOKENS = ['USDC']

const declaration = block({
  walletAddress: text.describe('Wallet address that pays or receives payments.'),
  supportedChains: names(['eip155:8453', 'base'])
    .optional()
    .describe('CAIP-2 identifiers or names of chains.'),
  supportedTokens: names(DEFAULT_TOKENS).optional().describe('Token symbols; USDC by default.'),
  facilitatorUrl: url.optional().describe('URL of the facilitator that settles payments.'),
  spendingLimit: money.optional().describe('Maximum amount of one payment.'),
})

/** x402. Source: Spec: Commerce protocol declarations; x402 v2. */
export const x402Protocol = {
  declaration,
  prefill: ({ supportedTokens = DEFAULT_TOKENS, facilitatorUrl, spendingLimit }) => ({
    spendMax: spendingLimit,
    currency: supportedTokens.some((token) => token.toUpperCase() === 'USDC') ? 'USDC' : undefined,
    counterparties: [facilitatorUrl && counterpartyOf(facilitatorUrl)],
  }),
} satisfies CommerceProtocol<typeof declaration>
