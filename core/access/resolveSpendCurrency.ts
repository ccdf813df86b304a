import type { CompiledLimits } from '../pdlss/compileLimits.ts'
import type { VerificationRequest } from './verificationRequest.ts'

type Boundaries = Record<'agent' | 'endpoint', { limits: Pick<CompiledLimits, 'currency'> }>

/**
 * The currency of a value: the one that the request states, otherwise that of the endpoint, which named the value, otherwise
 * that of the agent. Undefined if none of them has one.
 *
 * Without this, leaving the currency out would pass two boundaries that no currency satisfies, and use a cap on spend twice.
 * Source: docs/decisions/0170.
 */
export function resolveSpendCurrency(
  { currency }: Pick<VerificationRequest, 'currency'>,
  { agent, endpoint }: Boundaries,
): string | undefined {
  return currency ?? endpoint.limits.currency ?? agent.limits.currency
}
