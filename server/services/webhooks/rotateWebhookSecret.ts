import { apiError } from '../../errors.ts'
import { buildEndpointRecord } from '../endpoints/buildEndpointRecord.ts'
import { createWebhookSecret } from '../endpoints/createWebhookSecret.ts'
import { findOwnEndpoint } from '../endpoints/findOwnEndpoint.ts'
import type { ChangeWebhookInput } from './changeWebhook.ts'
import type { WebhookDeps } from './webhookDeps.ts'

/** How long the secret before signs beside the new one: a working day and a night for a receiver to change over. */
const OVERLAP_MS = 24 * 3_600_000

export type RotatedSecret = { webhookSecret: string; previousSecretUntil: string }

/**
 * Draws a new webhook secret, answered here and never again; for 24 hours the one before signs too.
 *
 * There are never more than two: a rotation within the 24 hours of another ends the oldest at once.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, INVALID_STATE for an endpoint that is not claimed or is archived.
 * Source: api.md "Endpoints" (`…/rotate-secret`), "Webhook signature".
 */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  input: ChangeWebhookInput,
): Promise<RotatedSecret> {
  const { endpoints, webhooks, records } = deps.stores
  const { randomBytes } = deps.settings
  const { now } = input
  const endpoint = await findOwnEndpoint(endpoints, { ...input, toWrite: true })
  const previousUntil = now + OVERLAP_MS
  const { secret, stored } = createWebhookSecret(deps.secrets, endpoint.id, randomBytes)
  return deps.db.transaction(async (trx) => {
    const before = await webhooks.ofEndpoint(endpoint.id, trx)
    if (before === null || before.secret === null || before.endpointStatus === 'archived') {
      throw apiError('INVALID_STATE')
    }
    await webhooks.rotateSecret(trx, endpoint.id, {
      stored: stored.webhookSecret,
      lastFour: stored.webhookSecretLastFour,
      previous: before.secret,
      previousUntil,
    })
    await records.append(
      trx,
      buildEndpointRecord('endpoint.secret_rotated', endpoint, {}, { now, randomBytes }),
    )
    return { webhookSecret: secret, previousSecretUntil: new Date(previousUntil).toISOString() }
  })
}
