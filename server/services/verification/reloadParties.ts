import { resolveEndpoint } from './resolveEndpoint.ts'
import type { ResolvedInput, VerificationDeps } from './verificationDeps.ts'

/**
 * A request after somebody outside was waited for, who alone says how long that takes: what was changed meanwhile holds,
 * and the moment is the one that it is by then. An approval, say, may have run out while an agent was asked.
 *
 * @throws ApiError COUNTERPARTY_KEY_MISMATCH when its URL is somebody else's by now.
 */
export async function reloadParties<Input extends ResolvedInput>(
  { resolve, clock }: Pick<VerificationDeps, 'resolve' | 'clock'>,
  input: Input,
): Promise<Input> {
  const { principal, request, resolved } = input
  const now = clock()
  if (resolved.endpoint.id === null) return { ...input, now }
  return { ...input, now, resolved: await resolveEndpoint(resolve, principal, request, now) }
}
