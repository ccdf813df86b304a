import type { ChainClient } from '../../../chain/chainClient.ts'
import type { IntentHandler } from '../intentHandler.ts'

/** Gas of a transfer without data. */
const TRANSFER_GAS = 21_000n

/** `nonce.fill`: an empty transfer from the relayer to itself. It gets the lowest free nonce, which is the gap. */
export function fillNonce({ chain }: { chain: ChainClient }): IntentHandler {
  return {
    prepare: async () => ({
      next: 'send',
      call: { to: chain.relayerAddress, data: '0x' },
      gas: TRANSFER_GAS,
    }),
  }
}
