import { checkMandate } from '@svc/core/commerce/mandates/checkMandate.ts'
import {
  type MandateFinding,
  type MandateInput,
  type MandateVerifiers,
  wrongMandate,
} from '@svc/core/commerce/mandates/mandateFinding.ts'
import { readJwk } from '../credentials/didKeys.ts'
import { verifyJws } from '../credentials/verifyJws.ts'
import { thumbprintOf } from './readDeclaredKey.ts'
import { recoverPayer } from './recoverPayer.ts'
import { verifyText } from './verifyText.ts'

export type MandateVerifier = (input: MandateInput) => Promise<MandateFinding>

const VERIFIERS: MandateVerifiers = {
  recoverPayer,
  verifyText,
  thumbprintOf,
  async verifyJws(jws, jwk) {
    const key = readJwk(jwk)
    return key !== null && (await verifyJws(jws, key))
  },
}

/**
 * Creates the verifier of the payment mandates that requests present.
 *
 * No check needs a service that could be unavailable. So whatever one throws is due to the mandate, which anyone may have
 * written: it is malformed, and no reason to leave the request undecided. Source: docs/mandates.md.
 */
export function createMandateVerifier(verifiers: MandateVerifiers = VERIFIERS): MandateVerifier {
  return async (input) => {
    try {
      return await checkMandate(input, verifiers)
    } catch {
      return wrongMandate('malformed')
    }
  }
}
