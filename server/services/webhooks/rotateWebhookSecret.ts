import { apiError } from '../../errors.ts'
import { buildEndpointRecord } from '../endpoints/buildEndpointRecord.ts'
import { createWebhookSecret } from '../endpoints/createWebhookSecret.ts'
import { findOwnEndpoint } from '../endpoints/findOwnEndpoint.ts'
import type { ChangeWebhookInput } from './changeWebhook.ts'
import type { WebhookDeps } from './webhookDeps.ts'

/** How long the previous secret also signs: a working day and a night for the receiver to switch. */
const OVERLAP_MS = 24 * 3_600_000

export type RotatedSecret = { webhookSecret: string; previousSecretUntil: string }

/**
 * Replaces the webhook secret. The new one is returned here and never again; for 24 hours the previous one also signs.
 *
 * There are at most two secrets: rotating again within 24 hours ends the oldest immediately.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, INVALID_STATE for an endpoint that is unclaimed or archived. Source:
 * docs/webhooks.md.
 */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  input: ChangeWebhookInput,
): Promise<RotatedSecret> {
  const { endpoints, webhooks, records } = deps.stores
  const { randomBytes } = deps.settings
  const { now } = input
  const endpoint = await findOwnEndpoint(endpoints, { ...input, toWrite: true })
  const writer = { principal: input.principal, ownerId: endpoint.ownerId }
  const previousUntil = now + OVERLAP_MS
  const { secret, stored } = createWebhookSecret(deps.secrets, endpoint.id, randomBytes)
  return deps.writeAs(writer, [`endpoint ${endpoint.id}`], async (trx) => {
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
