import { sha256Hex } from '@svc/core/hash.ts'
import { isApiKey } from '@svc/core/ids/secrets.ts'
import { apiError } from '../../../errors.ts'
import type { ApiKey } from '../../../store/accounts/apiKeyStore.ts'
import type { ApiKeyPrincipal } from '../../principal.ts'
import type { AccountCaches } from '../accountCaches.ts'
import type { AccountFacts } from '../accountFacts.ts'

export type AuthenticateApiKeyDeps = { caches: Pick<AccountCaches, 'keys' | 'accounts'> }

type Found = ApiKeyPrincipal | null

/**
 * Returns the holder of an API key; null if there is no such key.
 *
 * @throws ApiError ACCOUNT_SUSPENDED, ORGANIZATION_SUSPENDED; UNAUTHENTICATED with the reason if the key was revoked, or if
 * its user no longer acts for its organisation: only its holder can present it, so nobody else learns that it existed.
 *
 * Every verification starts here, so a cached result is returned without a promise. Source: `Spec: Authentication` 1, 4.
 */
export function authenticateApiKey(deps: AuthenticateApiKeyDeps, key: string): Found | Promise<Found> {
  if (!isApiKey(key)) return null
  const held = deps.caches.keys.get(sha256Hex(key))
  return held instanceof Promise ? held.then((loaded) => holderOf(deps, loaded)) : holderOf(deps, held)
}

function holderOf(deps: AuthenticateApiKeyDeps, key: ApiKey | null): Found | Promise<Found> {
  if (!key) return null
  if (key.revokedAt !== null) {
    throw apiError('UNAUTHENTICATED', { message: 'This API key has been revoked; make a new one.' })
  }
  const account = deps.caches.accounts.get(key.userId)
  return account instanceof Promise
    ? account.then((loaded) => principalOf(key, loaded))
    : principalOf(key, account)
}

function principalOf(key: ApiKey, account: AccountFacts | null): Found {
  if (!account) return null
  if (account.isSuspended) throw apiError('ACCOUNT_SUSPENDED')
  const { organizationId } = key
  if (organizationId !== null && account.suspendedOrganizations.has(organizationId)) {
    throw apiError('ORGANIZATION_SUSPENDED')
  }
  // The keys of a member who has become a viewer are inactive.
  if (organizationId !== null && !account.writesFor.has(organizationId)) {
    throw apiError('UNAUTHENTICATED', {
      message: 'The member who made this API key may not act for its organisation now.',
    })
  }
  return {
    kind: 'apiKey',
    keyId: key.id,
    userId: key.userId,
    personId: account.creators.get(organizationId ?? '') ?? key.userId,
    developerId: account.developerId,
    organizationId,
    actsFor: account.actsFor,
    writesFor: account.writesFor,
    suspendedOrganizations: account.suspendedOrganizations,
  }
}
