import type { ResolvedInput, VerificationDeps } from '../verificationDeps.ts'
import { resolveEndpoint } from './resolveEndpoint.ts'

/**
 * Reloads the parties of a request after waiting for a third party, which may have taken any length of time: changes made
 * meanwhile apply, and the time is the current one. An approval, for example, may have expired while the agent was
 * challenged.
 *
 * @throws ApiError COUNTERPARTY_KEY_MISMATCH if the URL now belongs to another account.
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
