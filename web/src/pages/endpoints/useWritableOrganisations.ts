import type { Organization } from '@svc/core/contract/accounts.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { useChosenOrganisation } from '../../api/useChosenOrganisation.ts'
import { isWritable } from '../../parts/forms/isWritable.ts'

/** Lists the organisations that the account may make changes for, the chosen one first; undefined until loaded. */
export function useWritableOrganisations(): readonly Organization[] | undefined {
  const query = useApiQuery('GET /api/organizations', { query: { limit: 100 } })
  const { chosenFirst } = useChosenOrganisation()
  return query.data && chosenFirst(query.data.items.filter(isWritable))
}
