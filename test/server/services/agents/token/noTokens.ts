import type { ChainTokens } from '../../../../../server/services/agents/token/chainTokens.ts'

/** Tokens of a chain that has none. */
export const NO_TOKENS: ChainTokens = {
  relayer: `0x${'11'.repeat(20)}`,
  read: async () => null,
  mayAct: async () => false,
  encodeSetUri: () => '0x',
  encodeApprove: () => '0x',
}
