import { apiError } from '../../../errors.ts'
import type { ApiKeyStore } from '../../../store/accounts/apiKeyStore.ts'
import type { OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { AccountCaches } from '../accountCaches.ts'
import { listManagedOrganizations } from '../organizations/listOrganizations.ts'

export type RevokeApiKeyDeps = {
  apiKeys: ApiKeyStore
  organizations: OrganizationStore
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'keys'>
}

export type RevokeApiKeyInput = { principal: SessionPrincipal; id: string; now: number }

/**
 * Revokes a key permanently: requests that begin after the response are refused. Repeating it returns the same answer.
 *
 * @throws ApiError NOT_FOUND for a key that the caller cannot see.
 */
export async function revokeApiKey(
  deps: RevokeApiKeyDeps,
  input: RevokeApiKeyInput,
): Promise<{ id: string; revokedAt: string }> {
  const { principal, id, now } = input
  const key = await deps.transaction(
    async (trx) => {
      const found = await deps.apiKeys.byId(trx, id)
      const managed = listManagedOrganizations(await deps.organizations.membershipsOf(principal.userId, trx))
      const isVisible = found?.userId === principal.userId || managed.includes(found?.organizationId ?? '')
      if (!found || !isVisible) throw apiError('NOT_FOUND')
      await deps.apiKeys.revoke(trx, id, now)
      return found
    },
    [`account ${principal.userId}`],
  )
  deps.caches.keys.delete(key.keyHash)
  return { id, revokedAt: new Date(key.revokedAt ?? now).toISOString() }
}
