import type { Organization } from '@svc/core/contract/accounts.ts'
import { encodeOrganizationIdentifier } from '@svc/core/ids/identifiers.ts'
import type { OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { AccountCaches } from '../accountCaches.ts'
import { type RequireLiveSessionDeps, requireLiveSession } from '../requireLiveSession.ts'
import { checkMembershipLimit } from './joinOrganization.ts'
import { toOrganizationView } from './listOrganizations.ts'

export type CreateOrganizationDeps = RequireLiveSessionDeps & {
  organizations: OrganizationStore
  transaction: Db['transaction']
  randomBytes: (length: number) => Uint8Array
  caches: Pick<AccountCaches, 'onMemberChanged'>
}

export type CreateOrganizationInput = { principal: SessionPrincipal; name: string; now: number }

/** Creates an organisation with the caller as its first owner. @throws ApiError INVALID_STATE, UNAUTHENTICATED. */
export async function createOrganization(
  deps: CreateOrganizationDeps,
  input: CreateOrganizationInput,
): Promise<Organization> {
  const { userId } = input.principal
  const { name, now } = input
  const id = encodeOrganizationIdentifier(deps.randomBytes(16))
  const organization = { id, name, createdBy: userId, createdAt: now }
  const standing = { role: 'owner', status: 'active' } as const
  const created = await deps.transaction(
    async (trx) => {
      await requireLiveSession(deps, trx, input.principal)
      checkMembershipLimit(await deps.organizations.membershipsOf(userId, trx))
      await deps.organizations.insert(trx, organization)
      const membership = { organizationId: id, userId, ...standing, createdAt: now }
      await deps.organizations.insertMembership(trx, membership)
      return toOrganizationView({ ...organization, ...standing, isSuspended: false })
    },
    [`account ${userId}`],
  )
  deps.caches.onMemberChanged(userId, id)
  return created
}
