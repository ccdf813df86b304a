import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Resource } from './call.ts'

/** Returns a function that refetches whatever was read of the given resources, with any query, once it is shown. */
export function useInvalidate(): (resources: readonly Resource[]) => Promise<unknown> {
  const queries = useQueryClient()
  return useCallback(
    (resources) =>
      Promise.all(
        resources.map((resource) =>
          queries.invalidateQueries({ queryKey: typeof resource === 'string' ? [resource] : resource }),
        ),
      ),
    [queries],
  )
}
