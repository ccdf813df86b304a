import type { Organization } from '@svc/core/contract/accounts.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { isWritable } from '../../parts/isWritable.ts'

/** Lists the organisations that the account may make changes for; undefined until loaded. */
export function useWritableOrganisations(): readonly Organization[] | undefined {
  const query = useApiQuery('GET /api/organizations', { query: { limit: 100 } })
  return query.data?.items.filter(isWritable)
}
