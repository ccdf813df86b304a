import type { ApiKeyStore } from '../../../store/accounts/apiKeyStore.ts'
import type { OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { type ListPart, type ListRequest, listPage } from '../listPage.ts'
import { managedOrganizations } from '../organizations/managedOrganizations.ts'
import { type ApiKeyView, apiKeyView } from './apiKeyView.ts'

export type ListApiKeysDeps = { apiKeys: ApiKeyStore; organizations: OrganizationStore }

/** The caller's keys and those of the organisations it manages, newest first; revoked ones are gone. */
export async function listApiKeys(
  deps: ListApiKeysDeps,
  input: ListRequest & { principal: SessionPrincipal },
): Promise<ListPart<ApiKeyView>> {
  const { userId } = input.principal
  const managedOrganizationIds = managedOrganizations(await deps.organizations.membershipsOf(userId))
  const part = await listPage(
    input,
    (page) => deps.apiKeys.list({ userId, managedOrganizationIds }, page),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  )
  return { ...part, items: part.items.map(apiKeyView) }
}
