import { apiError } from '../../errors.ts'
import type { OwnerFactsStore } from '../../store/ownerFactsStore.ts'
import type { ApiKeyPrincipal } from '../principal.ts'

/**
 * Refuses to register an agent by API key: that takes a verified developer identity, and then the owner's approval.
 *
 * No account can have its identity verified, so what would come after the check cannot be reached; it fails rather
 * than promise an approval.
 *
 * @throws ApiError KYD_REQUIRED. Source: `Spec: POST /api/agents/register`; `Spec: Authentication` 7.
 */
export async function registerAgentByKey(
  deps: { owners: OwnerFactsStore },
  principal: ApiKeyPrincipal,
): Promise<never> {
  const account = await deps.owners.ofOwner(principal.developerId)
  if (account === null || account.kydVerifiedAt === null) throw apiError('KYD_REQUIRED')
  throw apiError('INTERNAL_ERROR', { detail: 'a verified developer identity, which nothing can give' })
}
