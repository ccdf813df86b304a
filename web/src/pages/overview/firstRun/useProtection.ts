import { useState } from 'react'
import { useApiQuery } from '../../../api/useApiQuery.ts'
import { isSampleAgent } from './sampleAgent.ts'
import type { Protection } from './setUpProtection.ts'

/**
 * What protects an API already: what this page has made, and otherwise the newest endpoint and sample agent of the account.
 *
 * `isLoaded` once that is known; `add` takes what has been made. A key is never read back, because the service does not have
 * it.
 */
export function useProtection() {
  const [made, setMade] = useState<Partial<Protection>>({})
  const endpoints = useApiQuery('GET /api/endpoints', { query: { limit: 1 } })
  const agents = useApiQuery('GET /api/agents', { query: { limit: 100 } })
  const [stored] = endpoints.data?.items ?? []
  const sampleAgentId = agents.data?.items.find(isSampleAgent)?.svcId
  const found: Partial<Protection> = {
    ...(stored?.organizationId && stored.svceId && stored.status === 'active'
      ? {
          // The list does not name the organisation; a sample agent is then named after the endpoint.
          organization: { id: stored.organizationId, name: stored.name },
          endpoint: { svceId: stored.svceId, counterpartyUrl: stored.counterpartyUrl },
        }
      : {}),
    ...(sampleAgentId === undefined ? {} : { sampleAgentId }),
  }
  return {
    isLoaded: endpoints.data !== undefined && agents.data !== undefined,
    error: endpoints.error ?? agents.error,
    protection: { ...found, ...made },
    add: (more: Partial<Protection>) => setMade((known) => ({ ...known, ...more })),
  }
}
