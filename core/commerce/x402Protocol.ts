import { counterpartyOf } from '../pdlss/counterparty.ts'
import type { CommerceProtocol } from './commerceProtocol.ts'
import { declarationParts } from './declarationParts.ts'

const { text, url, money, names, block } = declarationParts

/** Tokens of a declaration that names none. Spec: Commerce protocol declarations. */
const DEFAULT_TOKENS = ['USDC']

const declaration = block({
  walletAddress: text.describe('Address that pays or is paid.'),
  supportedChains: names(['eip155:8453', 'base']).optional().describe('CAIP-2 identifiers or names.'),
  supportedTokens: names(DEFAULT_TOKENS).optional().describe('USDC where none is named.'),
  facilitatorUrl: url.optional().describe('Who settles payments.'),
  spendingLimit: money.optional().describe('The most that one payment may cost.'),
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
