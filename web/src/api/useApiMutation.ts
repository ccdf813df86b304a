import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from './callApi.ts'
import type { Outgoing } from './request.ts'
import { withElevation } from './withElevation.ts'

type Options<Answer> = {
  /** Paths whose cached responses are stale afterwards. */
  invalidates: readonly string[]
  onDone?: (answer: Answer) => void
}

/** Sends a change to the service, with a fresh passkey assertion if required, and invalidates the given paths. */
export function useApiMutation<Answer>({ invalidates, onDone }: Options<Answer>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (outgoing: Outgoing) =>
      withElevation((elevation) => callApi<Answer>({ ...outgoing, elevation })),
    onSuccess: async (answer) => {
      await Promise.all(invalidates.map((path) => queries.invalidateQueries({ queryKey: [path] })))
      onDone?.(answer)
    },
  })
}

/**
 * Returns a function that refetches a cached resource and returns its latest version; undefined if it was never read.
 *
 * For resources that are replaced as a whole: a save must not overwrite what someone else has changed in the meantime.
 */
export function useRefetch<Answer>(path: string): () => Promise<Answer | undefined> {
  const queries = useQueryClient()
  return async () => {
    await queries.refetchQueries({ queryKey: [path], exact: true })
    return queries.getQueryData<Answer>([path])
  }
}
