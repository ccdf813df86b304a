import { isWritingRole } from '@svc/core/memberRole.ts'
import { apiError } from '../../errors.ts'
import type { ApiKeyStore } from '../../store/accounts/apiKeyStore.ts'
import type { OrganizationStore } from '../../store/accounts/organizationStore.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { ApiKeyPrincipal, Principal, SessionPrincipal } from '../principal.ts'

import { type RefuseSuspendedDeps, refuseSuspended } from './refuseSuspended.ts'
import { type RequireLiveSessionDeps, requireLiveSession } from './requireLiveSession.ts'

export type CurrentWriterDeps = RequireLiveSessionDeps &
  RefuseSuspendedDeps & {
    apiKeys: Pick<ApiKeyStore, 'byId'>
    organizations: Pick<OrganizationStore, 'membershipsOf'>
    passkeys: Pick<PasskeyStore, 'byCredentialId'>
  }

export type CurrentWriter = {
  /** A session or an API key; no other credential changes what an owner has. */
  principal: Principal
  ownerId: string
  /** Of the passkey by which the caller has just confirmed the change. */
  credentialId?: string | undefined
}

export type Trx = Parameters<ApiKeyStore['insert']>[0]

/**
 * Requires, in the transaction of a change, what `requireWriter` has found in caches: that the caller's session or key is
 * valid, and that the caller may change the resources of this owner.
 *
 * Another process may have ended any of it milliseconds before. `writeAs` calls it in a transaction in which it stays true.
 *
 * @throws ApiError UNAUTHENTICATED, ACCOUNT_SUSPENDED, ORGANIZATION_SUSPENDED, FORBIDDEN, PASSKEY_REJECTED.
 */
export async function requireCurrentWriter(
  deps: CurrentWriterDeps,
  trx: Trx,
  { principal, ownerId, credentialId }: CurrentWriter,
): Promise<void> {
  if (principal.kind !== 'session' && principal.kind !== 'apiKey') throw apiError('FORBIDDEN')
  await refuseSuspended(deps, trx, principal)
  if (principal.kind === 'session') await requireLiveSession(deps, trx, principal)
  else await requireValidKey(deps, trx, principal)
  if (ownerId !== principal.developerId) await requireMember(deps, trx, principal, ownerId)
  if (credentialId === undefined) return
  const passkey = await deps.passkeys.byCredentialId(credentialId, trx)
  if (passkey?.userId !== principal.userId) {
    throw apiError('PASSKEY_REJECTED', { detail: 'the passkey was removed meanwhile' })
  }
}

async function requireValidKey({ apiKeys }: CurrentWriterDeps, trx: Trx, { keyId }: ApiKeyPrincipal) {
  const key = await apiKeys.byId(trx, keyId)
  if (key?.revokedAt !== null) throw apiError('UNAUTHENTICATED')
}

async function requireMember(
  { organizations, interventions }: CurrentWriterDeps,
  trx: Trx,
  { userId }: SessionPrincipal | ApiKeyPrincipal,
  organizationId: string,
): Promise<void> {
  if ((await interventions.find(organizationId, trx)) !== null) throw apiError('ORGANIZATION_SUSPENDED')
  const memberships = await organizations.membershipsOf(userId, trx)
  const membership = memberships.find((one) => one.organizationId === organizationId)
  if (membership?.status !== 'active' || !isWritingRole(membership.role)) throw apiError('FORBIDDEN')
}
