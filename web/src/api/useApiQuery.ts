import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { type Call, cacheKeyOf, type LastOptional, type ReadKey } from './call.ts'
import { sendCall } from './callApi.ts'
import { IsShown } from './IsShown.ts'
import { pollOrRecover } from './isUnreachable.ts'

type Options<Key extends ReadKey> = Call<Key> & {
  pollMs?: number
  enabled?: boolean
  /** Whether the request ends as soon as its answer is no longer wanted; for what follows each key that is pressed. */
  isFleeting?: boolean
}

/** Reads one resource. */
export function useApiQuery<Key extends ReadKey>(key: Key, ...[options]: LastOptional<Options<Key>>) {
  return useQuery({ ...buildQuery(key, options), subscribed: use(IsShown) })
}

/** Reads several resources of a kind, such as those of each log. */
export function useApiQueries<Key extends ReadKey>(key: Key, each: readonly Options<Key>[]) {
  return useQueries({ queries: each.map((options) => buildQuery(key, options)), subscribed: use(IsShown) })
}

function buildQuery<Key extends ReadKey>(key: Key, options: Options<Key> | undefined) {
  return queryOptions({
    queryKey: cacheKeyOf(key, options ?? {}),
    queryFn: (context) =>
      sendCall(key, options?.isFleeting ? { ...options, signal: context.signal } : options),
    refetchInterval: ({ state }) => pollOrRecover(state.error, options?.pollMs ?? false),
    enabled: options?.enabled ?? true,
  })
}
