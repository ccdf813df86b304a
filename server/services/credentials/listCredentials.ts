import { apiError } from '../../errors.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import type { CredentialDeps } from './credentialDeps.ts'
import { type CredentialView, credentialView } from './credentialView.ts'

/**
 * The third-party credentials of an own agent, oldest first, whole.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for anyone but the owner. Source: api.md "Agents".
 */
export async function listCredentials(
  { agents, credentials }: Pick<CredentialDeps, 'agents' | 'credentials'>,
  { id, principal, now }: { id: string; principal: Principal; now: number },
): Promise<CredentialView[]> {
  const agent = await agents.byAnyId(id)
  if (!agent) throw apiError('NOT_FOUND')
  if (!actsForOf(principal).has(agent.ownerId)) throw apiError('FORBIDDEN')
  return (await credentials.ofAgent(agent.svcId)).map((credential) => credentialView(credential, now))
}
