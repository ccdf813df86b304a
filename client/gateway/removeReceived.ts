import { isOwn } from './setPassThroughHeaders.ts'

/** The headers of a request as Node received them, beside those that it has joined. */
type ReceivedHeaders = {
  /** Names and values in turn. */
  readonly rawHeaders?: string[] | undefined
  readonly headersDistinct?: Record<string, string[] | undefined> | undefined
}

/** Removes the gateway's headers that a caller has sent from the views that Node has of the received headers, in place. */
export function removeReceived(received: ReceivedHeaders = {}): void {
  const { rawHeaders = [] } = received
  if (!rawHeaders.some((name, at) => at % 2 === 0 && isOwn(name))) return
  // Node makes `headersDistinct` of the raw headers when it is first read, and fails if they have become fewer by then.
  const { headersDistinct = {} } = received
  for (const name of Object.keys(headersDistinct)) if (isOwn(name)) delete headersDistinct[name]
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    if (isOwn(rawHeaders[at] ?? '')) rawHeaders.splice(at, 2)
  }
}
