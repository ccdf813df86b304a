import { type WriteAs, writeAs } from '../services/accounts/writeAs.ts'
import { createApiKeyStore } from '../store/accounts/apiKeyStore.ts'
import { createOrganizationStore } from '../store/accounts/organizationStore.ts'
import { createPasskeyStore } from '../store/accounts/passkeyStore.ts'
import { createSessionStore } from '../store/accounts/sessionStore.ts'
import type { Db } from '../store/database/database.ts'
import { createInterventionStore } from '../store/operator/interventionStore.ts'

/** Creates the transactions in which callers change what an owner has. */
export function createWriteAs(db: Pick<Db, 'query' | 'transaction'>): WriteAs {
  const deps = {
    db,
    apiKeys: createApiKeyStore(db.query),
    interventions: createInterventionStore(db.query),
    organizations: createOrganizationStore(db.query),
    passkeys: createPasskeyStore(db.query),
    sessions: createSessionStore(db.query),
  }
  return (writer, changes, work) => writeAs(deps, writer, changes, work)
}
