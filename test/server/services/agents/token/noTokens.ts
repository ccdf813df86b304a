import type { ChainTokens } from '../../../../../server/services/agents/token/chainTokens.ts'

/** A reader of tokens on a chain without any. */
export const NO_TOKENS: ChainTokens = {
  relayer: `0x${'11'.repeat(20)}`,
  relayers: [],
  read: async () => null,
  mayAct: async () => false,
  encodeSetUri: () => '0x',
  encodeApprove: () => '0x',
}
