import { useQuery } from '@tanstack/react-query'
import { type DocsPage, findDocs } from './findDocs.ts'

const PAGES = '/docs/pages.json'

/**
 * Finds pages of the documentation, of which a list is loaded once, when the search is opened for the first time.
 *
 * A service without a built documentation has no such list, and nothing is found then.
 */
export function useDocs(search: string, enabled: boolean) {
  const { data = [], isFetching } = useQuery({
    queryKey: ['docs'],
    queryFn: readPages,
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  })
  return { findings: enabled ? findDocs(data, search) : [], isFetching }
}

/** Where there is no documentation, the service responds with 404 or with another page. */
async function readPages(): Promise<DocsPage[]> {
  const response = await fetch(PAGES, { headers: { Accept: 'application/json' } })
  const isList = response.ok && response.headers.get('content-type')?.startsWith('application/json')
  return isList ? response.json() : []
}
