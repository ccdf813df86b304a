import { apiError } from '../../errors.ts'
import type { OwnerFactsStore } from '../../store/ownerFactsStore.ts'
import type { ApiKeyPrincipal } from '../principal.ts'

/**
 * Refuses the registration of an agent by API key on an account whose developer identity is not verified.
 *
 * @throws ApiError KYD_REQUIRED. Source: `Spec: Authentication` 7.
 */
export async function requireDeveloperIdentity(
  deps: { owners: OwnerFactsStore },
  principal: ApiKeyPrincipal,
): Promise<void> {
  const account = await deps.owners.ofOwner(principal.developerId)
  if (account === null || account.kydVerifiedAt === null) throw apiError('KYD_REQUIRED')
}
