import { checkAcpMandate } from './acpMandate.ts'
import { checkAp2Mandate } from './ap2Mandate.ts'
import type { MandateCheck, MandateFinding, MandateInput, MandateVerifiers } from './mandateFinding.ts'
import type { MandateProtocol } from './presentedMandate.ts'
import { checkTapMandate } from './tapMandate.ts'
import { checkUcpMandate } from './ucpMandate.ts'
import { checkX402Mandate } from './x402Mandate.ts'

const CHECKS: Readonly<Record<MandateProtocol, MandateCheck>> = {
  ap2: checkAp2Mandate,
  x402: checkX402Mandate,
  tap: checkTapMandate,
  acp: checkAcpMandate,
  ucp: checkUcpMandate,
}

/**
 * Checks the mandate that a request presents: that it is genuine, that the agent holds it, and that the counterparty states
 * the payment as the mandate does.
 *
 * Source: docs/mandates.md.
 */
export function checkMandate(input: MandateInput, verifiers: MandateVerifiers): Promise<MandateFinding> {
  return CHECKS[input.mandate.protocol](input, verifiers)
}
