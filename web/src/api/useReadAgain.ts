import { useQueryClient } from '@tanstack/react-query'

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
