import type { Organization } from '@svc/core/contract/accounts.ts'
import { useSyncExternalStore } from 'react'
import { browserMemory } from './browserMemory.ts'
import { session, userOf } from './session.ts'
import { useApiQuery } from './useApiQuery.ts'

const NONE: readonly Organization[] = []

/**
 * The organisation that lists and forms begin with, remembered by this browser for each account; null means all of them.
 *
 * One that the account has left does not count.
 */
export function useChosenOrganisation() {
  const userId = userOf(useSyncExternalStore(session.subscribe, session.read))?.id
  const key = `svc.organisation.${userId}`
  const stored = useSyncExternalStore(browserMemory.subscribe, () => browserMemory.read(key))
  const query = useApiQuery('GET /api/organizations', {
    query: { limit: 100 },
    enabled: userId !== undefined,
  })
  const organisations = query.data?.items ?? NONE
  const chosen = organisations.find(({ organizationId }) => organizationId === stored) ?? null
  return {
    organisations,
    chosen,
    /** For the query of a list: until the organisations have loaded, what is remembered. */
    organizationId: (query.data === undefined ? stored : chosen?.organizationId) ?? undefined,
    choose: (id: string | null) => browserMemory.write(key, id),
    /** Puts the chosen one first, which makes it the default of a form. */
    chosenFirst: (list: readonly Organization[]): Organization[] =>
      list.toSorted((a, b) => Number(b === chosen) - Number(a === chosen)),
  }
}
