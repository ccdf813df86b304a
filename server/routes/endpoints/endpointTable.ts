import type { TableRow } from '../operation.ts'
import { deleteEndpointAllowlistEntry, getEndpointAllowlist, postEndpointAllowlist } from './allowlist.ts'
import { getEndpoint, getEndpointStatistics, getEndpoints, postEndpoints, putEndpoint } from './endpoints.ts'
import {
  postEndpointArchive,
  postEndpointClaim,
  postEndpointDeactivate,
  postEndpointVerifyDomain,
} from './status.ts'
import {
  deleteEndpointWebhook,
  getEndpointWebhook,
  getEndpointWebhookDeliveries,
  postEndpointRotateSecret,
  postEndpointTestWebhook,
  postEndpointWebhook,
  postEndpointWebhookRedeliver,
} from './webhook.ts'

/** The operations for endpoints. */
export const ENDPOINT_TABLE = [
  ['POST', '/api/endpoints', 'apiKey', 'api', postEndpoints],
  ['GET', '/api/endpoints', 'session', 'api', getEndpoints],
  ['GET', '/api/endpoints/:id', 'sessionOrApiKey', 'api', getEndpoint],
  ['GET', '/api/endpoints/:id/statistics', 'sessionOrApiKey', 'api', getEndpointStatistics],
  ['PUT', '/api/endpoints/:id', 'sessionOrApiKey', 'api', putEndpoint],
  ['POST', '/api/endpoints/:id/claim', 'session', 'api', postEndpointClaim],
  ['POST', '/api/endpoints/:id/deactivate', 'session', 'api', postEndpointDeactivate],
  ['POST', '/api/endpoints/:id/archive', 'session', 'api', postEndpointArchive],
  ['POST', '/api/endpoints/:id/verify-domain', 'sessionOrApiKey', 'api', postEndpointVerifyDomain],
  ['GET', '/api/endpoints/:id/allowlist', 'sessionOrApiKey', 'api', getEndpointAllowlist],
  ['POST', '/api/endpoints/:id/allowlist', 'sessionOrApiKey', 'api', postEndpointAllowlist],
  ['DELETE', '/api/endpoints/:id/allowlist/:entryId', 'sessionOrApiKey', 'api', deleteEndpointAllowlistEntry],
  ['GET', '/api/endpoints/:id/webhook', 'sessionOrApiKey', 'api', getEndpointWebhook],
  ['POST', '/api/endpoints/:id/webhook', 'sessionOrApiKey', 'api', postEndpointWebhook],
  ['DELETE', '/api/endpoints/:id/webhook', 'sessionOrApiKey', 'api', deleteEndpointWebhook],
  ['POST', '/api/endpoints/:id/rotate-secret', 'sessionOrApiKey', 'api', postEndpointRotateSecret],
  ['POST', '/api/endpoints/:id/test-webhook', 'sessionOrApiKey', 'api', postEndpointTestWebhook],
  ['GET', '/api/endpoints/:id/webhook/deliveries', 'sessionOrApiKey', 'api', getEndpointWebhookDeliveries],
  [
    'POST',
    '/api/endpoints/:id/webhook/deliveries/:deliveryId/redeliver',
    'sessionOrApiKey',
    'api',
    postEndpointWebhookRedeliver,
  ],
] as const satisfies readonly TableRow[]
