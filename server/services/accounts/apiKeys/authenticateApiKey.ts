import { sha256Hex } from '@svc/core/hash.ts'
import { isApiKey } from '@svc/core/ids/secrets.ts'
import type { MemberRole } from '@svc/core/memberRole.ts'
import type { ApiKey } from '../../../store/accounts/apiKeyStore.ts'
import type { ApiKeyPrincipal } from '../../principal.ts'
import type { AccountCaches } from '../accountCaches.ts'
import type { AccountFacts } from '../accountFacts.ts'

export type AuthenticateApiKeyDeps = { caches: Pick<AccountCaches, 'keys' | 'accounts'> }

type Found = ApiKeyPrincipal | null

/**
 * Returns the holder of an API key; null if the key is unknown or revoked, or if its user no longer acts for its
 * organisation.
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
  const account = deps.caches.accounts.get(key.userId)
  return account instanceof Promise
    ? account.then((loaded) => principalOf(key, loaded))
    : principalOf(key, account)
}

function principalOf(key: ApiKey, account: AccountFacts | null): Found {
  if (!account) return null
  const { organizationId } = key
  if (organizationId !== null && !mayHoldKeys(account.activeRoles.get(organizationId))) return null
  return {
    kind: 'apiKey',
    keyId: key.id,
    userId: key.userId,
    developerId: account.developerId,
    organizationId,
    actsFor: account.actsFor,
    writesFor: account.writesFor,
  }
}

/**
 * Whether a member with this role may create and use API keys of the organisation.
 *
 * A viewer only reads, and a key registers endpoints: the keys of a member who becomes a viewer are inactive until the role
 * changes back.
 */
export function mayHoldKeys(role: MemberRole | undefined): boolean {
  return role === 'owner' || role === 'admin' || role === 'member'
}
