import type { ApiKey } from '../../../store/accounts/apiKeyStore.ts'

/** An API key as it is listed: never the key, only its last four characters. */
export type ApiKeyView = {
  id: string
  name: string
  lastFour: string
  organizationId: string | null
  /** Internal id of the user who created it. */
  userId: string
  createdAt: string
}

/** Shows an API key. Source: api.md "Identifiers". */
export function apiKeyView(key: ApiKey): ApiKeyView {
  const { id, name, lastFour, organizationId, userId, createdAt } = key
  return { id, name, lastFour, organizationId, userId, createdAt: new Date(createdAt).toISOString() }
}
