import { type AnyCall, pathOf, type ReadKey } from './call.ts'
import { sendRequest } from './request.ts'
import { session, userOf } from './session.ts'

/** How long an answer counts as that of now, in milliseconds: until a slow network has loaded what shows it. */
const FRESH_MS = 10_000

type Answer = { answer: Promise<unknown>; userId: string | undefined; sentAt: number }

const answers = new Map<string, Answer>()

/** What has been read before the code arrived that shows it. */
export const answersAhead = {
  /** Sends a request whose answer the first caller with the same path and query gets. */
  send(key: ReadKey, call: AnyCall): void {
    const answer = sendRequest(key, call, { token: session.token() })
    // Whoever takes it sends it again.
    answer.catch(() => null)
    answers.set(pathOf(key, call), { answer, userId: userOf(session.read())?.id, sentAt: performance.now() })
  },

  /** Forgets everything, because a change may make it untrue. */
  forget: (): void => answers.clear(),

  /** Removes and returns the answer for a path, if there is a fresh one for the account that is signed in now. */
  take(path: string): Promise<unknown> | null {
    const found = answers.get(path)
    answers.delete(path)
    if (found === undefined || found.userId !== userOf(session.read())?.id) return null
    return performance.now() - found.sentAt > FRESH_MS ? null : found.answer
  },
}
