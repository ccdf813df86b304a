import { type RequireCurrentWriter, requireCurrentWriter } from '../services/accounts/requireCurrentWriter.ts'
import { createApiKeyStore } from '../store/accounts/apiKeyStore.ts'
import { createOrganizationStore } from '../store/accounts/organizationStore.ts'
import { createPasskeyStore } from '../store/accounts/passkeyStore.ts'
import { createSessionStore } from '../store/accounts/sessionStore.ts'
import type { Db } from '../store/database/database.ts'
import { createInterventionStore } from '../store/operator/interventionStore.ts'

/** Creates the check of a caller's rights in the transaction of a change. */
export function createWriterCheck({ query }: Pick<Db, 'query'>): RequireCurrentWriter {
  const deps = {
    apiKeys: createApiKeyStore(query),
    interventions: createInterventionStore(query),
    organizations: createOrganizationStore(query),
    passkeys: createPasskeyStore(query),
    sessions: createSessionStore(query),
  }
  return (trx, writer) => requireCurrentWriter(deps, trx, writer)
}
