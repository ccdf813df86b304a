import { pause } from '../http/pause.ts'
import { readHold } from './readHold.ts'
import { readWaitMs } from './readWaitMs.ts'

type Repetition = {
  /** Milliseconds after which the last response is returned. */
  waitMs: number
  signal?: AbortSignal | null | undefined
  wait?: ((ms: number, signal?: AbortSignal | null) => Promise<void>) | undefined
}

/**
 * Sends a request again, as the same attempt, as long as its counterparty holds it for the owner's approval.
 *
 * @param send Sends the request, as a new attempt or as the one given.
 * @returns The last response, of which nothing is read.
 * @throws The reason of the signal once that is aborted; Error before anything is sent if `waitMs` is no number.
 */
export async function repeatWhileHeld(
  send: (attemptId?: string) => Promise<Response>,
  { waitMs, signal, wait = pause }: Repetition,
): Promise<Response> {
  const limitMs = readWaitMs(waitMs)
  const deadline = Date.now() + limitMs
  for (let attemptId: string | undefined; ; ) {
    const response = await send(attemptId)
    if (limitMs === 0) return response
    const hold = await readHold(response)
    if (hold === null || Date.now() + hold.pauseMs > deadline) return response
    // Its connection is free only once it has been read or cancelled.
    await response.body?.cancel()
    await wait(hold.pauseMs, signal)
    signal?.throwIfAborted()
    attemptId = hold.attemptId
  }
}
