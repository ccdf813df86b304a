import type { ApiKey, ApiKeyStore } from '../../store/accounts/apiKeyStore.ts'
import type { Session, SessionStore } from '../../store/accounts/sessionStore.ts'
import { createReadThroughCache, type ReadThroughCache } from '../readThroughCache.ts'
import { type AccountFacts, type LoadAccountFactsDeps, loadAccountFacts } from './accountFacts.ts'

/**
 * What is asked for at every request, held in memory.
 *
 * Whoever changes a key, a session or a membership deletes its entry after the commit and before the answer: that is
 * what makes a revocation hold at once.
 */
export type AccountCaches = {
  /** Live API keys by SHA-256 hex of the key. */
  keys: ReadThroughCache<ApiKey>
  /** Sessions that have not ended, by id. */
  sessions: ReadThroughCache<Session>
  /** By the user's internal id. */
  accounts: ReadThroughCache<AccountFacts>
}

export type AccountCachesDeps = LoadAccountFactsDeps & { apiKeys: ApiKeyStore; sessions: SessionStore }

/** Most entries of each kind; an entry is a few hundred bytes. */
const MAX = 50_000

/** Makes the caches, empty. */
export function createAccountCaches(deps: AccountCachesDeps): AccountCaches {
  return {
    keys: createReadThroughCache({ max: MAX, load: (keyHash) => deps.apiKeys.liveByHash(keyHash) }),
    sessions: createReadThroughCache({ max: MAX, load: (id) => deps.sessions.live(id) }),
    accounts: createReadThroughCache({ max: MAX, load: (userId) => loadAccountFacts(deps, userId) }),
  }
}
