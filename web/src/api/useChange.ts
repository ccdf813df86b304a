import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from './callApi.ts'
import type { Outgoing } from './request.ts'
import { withElevation } from './withElevation.ts'

type Options<Answer> = {
  /** Paths whose cached answers are out of date afterwards. */
  touches: readonly string[]
  onDone?: (answer: Answer) => void
}

/** Changes something at the service, with a fresh passkey where it wants one, and has what it touches read again. */
export function useChange<Answer>({ touches, onDone }: Options<Answer>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (outgoing: Outgoing) =>
      withElevation((elevation) => callApi<Answer>({ ...outgoing, elevation })),
    onSuccess: async (answer) => {
      await Promise.all(touches.map((path) => queries.invalidateQueries({ queryKey: [path] })))
      onDone?.(answer)
    },
  })
}

/**
 * Reads once more what a page shows, and answers it as it is stored now; undefined where it was never read.
 *
 * For what is replaced as a whole: whoever saves has to know what somebody else has made of it meanwhile.
 */
export function useReadAgain<Answer>(path: string): () => Promise<Answer | undefined> {
  const queries = useQueryClient()
  return async () => {
    await queries.refetchQueries({ queryKey: [path], exact: true })
    return queries.getQueryData<Answer>([path])
  }
}
