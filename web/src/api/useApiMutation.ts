import type { AnswerOf, OperationKey } from '@svc/core/contract/operations.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { announce } from '../parts/announce.ts'
import { type Call, cacheKeyOf, type LastOptional, type ReadKey, type Resource } from './call.ts'
import { sendUndoable, type Undoable } from './sendUndoable.ts'
import { useInvalidate } from './useInvalidate.ts'

type Options<Answer> = {
  /** The resources that are stale in the cache afterwards. */
  invalidates?: readonly Resource[]
  onDone?: (answer: Answer) => void
  /**
   * For a change of settings of a resource: says *Saved*, unless `says` has other words, and offers to save the former ones
   * again.
   */
  undo?: Undoable<Answer>
  /** What is said once it is done, such as *Removed*. */
  says?: string
  /**
   * For what is no setting of a resource: returns what takes the change back and describes the outcome, or null if it has
   * changed nothing.
   */
  takeBack?: (answer: Answer) => (() => Promise<string>) | null
}

/** What `mutate` takes; it can be omitted if the call needs nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: only `void` makes a parameter optional
type Variables<Key extends OperationKey> = Partial<Call<Key>> extends Call<Key> ? Call<Key> | void : Call<Key>

/**
 * Sends a change to the service, with a fresh passkey assertion if required, and invalidates the given resources.
 */
export function useApiMutation<Key extends OperationKey>(
  key: Key,
  { invalidates = [], onDone, undo, says, takeBack }: Options<AnswerOf<Key>> = {},
) {
  const invalidate = useInvalidate()
  const undoOfSettings = useRef<(() => Promise<string>) | null>(null)
  const offerUndo = (undoChange: () => Promise<string>) => async () => {
    announce('Undoing…')
    const outcome = await undoChange()
    await invalidate(invalidates)
    announce(outcome)
  }
  return useMutation({
    async mutationFn(call: Variables<Key>) {
      const sent = await sendUndoable(key, call ?? {}, undo)
      undoOfSettings.current = sent.undo
      return sent.answer
    },
    onSuccess: async (answer) => {
      await invalidate(invalidates)
      const said = says ?? (undo && 'Saved')
      const undoChange = undo ? undoOfSettings.current : (takeBack?.(answer) ?? null)
      if (said) announce(said, undoChange && offerUndo(undoChange))
      onDone?.(answer)
    },
  })
}

/**
 * Returns a function that refetches a cached resource and returns its latest version; undefined if it was never read.
 *
 * For resources that are replaced as a whole: a save must not overwrite what someone else has changed in the meantime.
 */
export function useRefetch<Key extends ReadKey>(
  key: Key,
  ...[call]: LastOptional<Call<Key>>
): () => Promise<AnswerOf<Key> | undefined> {
  const queries = useQueryClient()
  return async () => {
    const queryKey = cacheKeyOf(key, call ?? {})
    await queries.refetchQueries({ queryKey, exact: true })
    return queries.getQueryData<AnswerOf<Key>>(queryKey)
  }
}
