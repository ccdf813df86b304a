import { createVerifyClient } from '@svc/client/gateway/createVerifyClient.ts'
import { SvcApiError } from '@svc/client/http/svcApiError.ts'
import type { CommonSettings } from './settings/gateSettings.ts'

/** How long the start waits for the registry. */
const TIMEOUT_MS = 5_000

/**
 * Checks, before the gate takes requests, that the key owns the endpoint: otherwise each request would fail.
 *
 * Only a definite answer stops the start. A registry that cannot be reached, fails or has suspended the account may recover,
 * so the gate starts, says so, and lets nothing through until then.
 *
 * @param warn Gets the sentence for a gate that starts although the check failed.
 * @returns One sentence if the key is not accepted or does not own the endpoint; otherwise null.
 */
export async function checkRegistry(
  { apiBaseUrl, apiKey, counterpartyId = '' }: CommonSettings['gateway'],
  warn: (message: string) => void,
): Promise<string | null> {
  const client = createVerifyClient({
    ...{ apiBaseUrl, apiKey, counterpartyId, warn, timeoutMs: TIMEOUT_MS, disableInitChecks: true },
  })
  try {
    await client.readRoutes(counterpartyId)
    return null
  } catch (error) {
    const { code, message } = error instanceof SvcApiError ? error : { code: '', message: String(error) }
    if (code === 'NOT_FOUND') {
      return (
        `The API key does not own the endpoint ${counterpartyId} at ${apiBaseUrl}: ` +
        'use a key of its owner, or correct the endpoint.'
      )
    }
    if (code === 'UNAUTHENTICATED') {
      return `The registry at ${apiBaseUrl} does not accept the API key: ${message}`
    }
    warn(
      `Whether the API key owns ${counterpartyId} could not be checked at ${apiBaseUrl} (${message}); ` +
        'the gate starts, and refuses requests until the registry answers.',
    )
    return null
  }
}
