import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS } from '../intents.ts'

/** Gas of a transfer without data. */
const TRANSFER_GAS = 21_000n

/** `nonce.fill`: an empty transfer from an account to itself. It gets the lowest free nonce, which is the gap. */
export function fillNonce(): IntentHandler {
  return {
    choosesSender: true,

    async prepare(intent, { relayer }) {
      const { sender: from = relayer } = INTENT_PAYLOADS['nonce.fill'].parse(intent.payload)
      return { next: 'send', call: { to: from, data: '0x' }, gas: TRANSFER_GAS, from }
    },
  }
}
