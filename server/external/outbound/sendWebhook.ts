import { findOutboundFault, type OutboundFault } from './findOutboundFault.ts'
import { createPostText, type TraceHeaders } from './outboundHttp.ts'
import { signWebhook } from './signWebhook.ts'

/** One attempt to deliver one event. */
type WebhookAttempt = {
  url: string
  /** Identifies the event to the receiver. */
  eventId: string
  payload: string
  /** Epoch milliseconds. */
  now: number
  secrets: readonly string[]
  /** Whether the owner requested it to test the receiver. */
  isProbe: boolean
}

/** The result of an attempt: the status of the response, or why there was none. */
export type WebhookAnswer = { status: number } | { status: null; fault: OutboundFault }

/** Sends one event once. @throws The signal's reason when it aborts. */
export type SendWebhook = (attempt: WebhookAttempt, signal: AbortSignal) => Promise<WebhookAnswer>

/** How long a receiver may take to respond. */
const TIMEOUT_MS = 10_000
/** Source: `Spec: Authentication` 12 reserves the prefix `Svc-Probe/` for checks of deliveries. */
const USER_AGENTS = { probe: 'Svc-Probe/1.0', delivery: 'Svc-Webhook/1.0' }

/**
 * Creates the sender of webhooks: signed, to public addresses only, without following redirects, bounded in time and size.
 *
 * Failures are reported as one of three kinds, because the system's own messages would reveal details of our network.
 */
export function createSendWebhook(options: {
  allowPrivate: boolean
  traceHeaders?: TraceHeaders | undefined
}): SendWebhook {
  const post = createPostText({ ...options, timeoutMs: TIMEOUT_MS })
  return async ({ url, eventId, payload, now, secrets, isProbe }, signal) => {
    signal.throwIfAborted()
    const signed = signWebhook({ id: eventId, timestamp: Math.floor(now / 1000), payload, secrets })
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': isProbe ? USER_AGENTS.probe : USER_AGENTS.delivery,
      ...signed,
    }
    try {
      return { status: await post(url, { text: payload, headers, signal }) }
    } catch (error) {
      signal.throwIfAborted()
      return { status: null, fault: findOutboundFault(error) }
    }
  }
}
