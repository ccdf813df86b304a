import type { Organization, Page } from '../../api/types.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'

/** The organisations for which the account may change things; undefined until they are known. */
export function useWritableOrganisations(): readonly Organization[] | undefined {
  const query = useApiQuery<Page<Organization>>('/api/organizations?limit=100')
  return query.data?.items.filter(({ status, role }) => status === 'active' && role !== 'viewer')
}
