import type { WebhookDelivery } from './webhookTypes.ts'

const FAULTS: Record<string, string> = {
  address_refused: 'The address leads to a private network or is not HTTPS.',
  timed_out: 'The server did not answer within 10 seconds.',
  connection_failed: 'The server could not be reached.',
}

/** How the last attempt at a delivery ended, in a sentence; empty before there was one. */
export function deliveryOutcome({ lastStatus, lastError, lastDurationMs }: WebhookDelivery): string {
  if (lastError !== null && lastStatus === null) return FAULTS[lastError] ?? 'It could not be sent.'
  if (lastStatus === null) return ''
  const answered = `The server answered ${lastStatus} after ${lastDurationMs ?? 0} ms.`
  return lastError === 'redirected' ? `${answered} Redirects are not followed.` : answered
}
