import type { ApiKey as ApiKeyView } from '@svc/core/contract/accounts.ts'
import type { ApiKey, ApiKeyStore } from '../../../store/accounts/apiKeyStore.ts'
import type { OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { type ListPart, type ListRequest, listPage } from '../listPage.ts'
import { listManagedOrganizations } from '../organizations/listOrganizations.ts'

export type ListApiKeysDeps = { apiKeys: ApiKeyStore; organizations: OrganizationStore }

/** Lists the caller's keys and those of the organisations it manages, newest first, without revoked ones. */
export async function listApiKeys(
  deps: ListApiKeysDeps,
  input: ListRequest & { principal: SessionPrincipal; organizationId?: string | undefined },
): Promise<ListPart<ApiKeyView>> {
  const { userId } = input.principal
  const managedOrganizationIds = listManagedOrganizations(await deps.organizations.membershipsOf(userId))
  const part = await listPage(
    input,
    (page) =>
      deps.apiKeys.list(
        { userId, managedOrganizationIds },
        { ...page, organizationId: input.organizationId },
      ),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  )
  return { ...part, items: part.items.map(toApiKeyView) }
}

export function toApiKeyView(key: ApiKey): ApiKeyView {
  const { id, name, lastFour, organizationId, userId, createdAt } = key
  return { id, name, lastFour, organizationId, userId, createdAt: new Date(createdAt).toISOString() }
}
