const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Pauses between one attempt and the next: the first is made at once, the tenth and last three days later. */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

/**
 * How long after an attempt that failed the next one is made; null when it was the last.
 *
 * @param attempts Attempts made so far.
 * Source: api.md "Webhook signature" (Delivery); Standard Webhooks "Deliverability and reliability".
 */
export function retryDelayMs(attempts: number): number | null {
  return PAUSES_MS[attempts - 1] ?? null
}
