import type { ApiKey, ApiKeyStore } from '../../store/accounts/apiKeyStore.ts'
import type { Session, SessionStore } from '../../store/accounts/sessionStore.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import { createReadThroughCache, type ReadThroughCache } from '../readThroughCache.ts'
import { type AccountFacts, type LoadAccountFactsDeps, loadAccountFacts } from './accountFacts.ts'
import { loadOwnerPeople, type OwnerPeople } from './ownerPeople.ts'

/**
 * Caches what every request needs.
 *
 * Code that changes a key, a session or a membership deletes its entry after the commit and before the response, so that a
 * revocation takes effect immediately.
 */
export type AccountCaches = {
  /** API keys, revoked ones too, by SHA-256 hex of the key. */
  keys: ReadThroughCache<ApiKey>
  /** Sessions that have not ended, by id. */
  sessions: ReadThroughCache<Session>
  /** By the user's internal id. */
  accounts: ReadThroughCache<AccountFacts>
  /** The people behind owners, by `SVCD-` or `SVCO-`. */
  owners: ReadThroughCache<OwnerPeople>
  /** Forgets what depends on a membership. */
  onMemberChanged(userId: string, organizationId: string): void
}

export type AccountCachesDeps = LoadAccountFactsDeps & {
  apiKeys: ApiKeyStore
  sessions: SessionStore
  owners: Pick<OwnerFactsStore, 'personBehind' | 'administratorsOf'>
  /** Called when the members of an organisation have changed, for caches elsewhere. */
  onMembersChanged?: (() => void) | undefined
}

/** Maximum entries of each kind; an entry takes a few hundred bytes. */
const MAX = 50_000

/** Creates empty caches. */
export function createAccountCaches(deps: AccountCachesDeps): AccountCaches {
  const accounts = createReadThroughCache({ max: MAX, load: (userId) => loadAccountFacts(deps, userId) })
  const owners = createReadThroughCache({ max: MAX, load: (ownerId) => loadOwnerPeople(deps, ownerId) })
  return {
    keys: createReadThroughCache({ max: MAX, load: (keyHash) => deps.apiKeys.byHash(keyHash) }),
    sessions: createReadThroughCache({ max: MAX, load: (id) => deps.sessions.live(id) }),
    accounts,
    owners,
    onMemberChanged(userId, organizationId) {
      accounts.delete(userId)
      owners.delete(organizationId)
      deps.onMembersChanged?.()
    },
  }
}
