import { checkMandate } from '@svc/core/commerce/mandates/checkMandate.ts'
import type {
  MandateFinding,
  MandateInput,
  MandateVerifiers,
} from '@svc/core/commerce/mandates/mandateFinding.ts'
import { readJwk } from '../credentials/didKeys.ts'
import { verifyJws } from '../credentials/verifyJws.ts'
import { recoverPayer } from './recoverPayer.ts'
import { verifyText } from './verifyText.ts'

export type MandateVerifier = (input: MandateInput) => Promise<MandateFinding>

const VERIFIERS: MandateVerifiers = {
  recoverPayer,
  verifyText,
  async verifyJws(jws, jwk) {
    const key = readJwk(jwk)
    return key !== null && (await verifyJws(jws, key))
  },
}

/** Creates the verifier of the payment mandates that requests present. Source: docs/mandates.md. */
export function createMandateVerifier(): MandateVerifier {
  return (input) => checkMandate(input, VERIFIERS)
}
