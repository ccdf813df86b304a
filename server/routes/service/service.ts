import { serviceOperations } from '@svc/core/contract/service.ts'
import { SIGNED_REQUEST_FORMS } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { requireBearer } from '../../middleware/requireBearer.ts'
import type { SignedRequestSettings } from '../../services/accounts/authenticateSignature.ts'
import { type CheckHealthDeps, checkHealth } from '../../services/health/checkHealth.ts'
import { operation } from '../operation.ts'

/** Source: `Spec: GET /api/health`. */
export const getHealth = operation({
  summary: 'Returns whether the service can decide and record, and the state of its components.',
  answer: serviceOperations['GET /api/health'].answer,
  errors: [],
  vital: true,
  handle: (parts: { service: CheckHealthDeps }) => async (call) => {
    const report = await checkHealth(parts.service, { now: call.now })
    const failed = report.status === 'fail'
    return {
      status: failed ? 503 : 200,
      ...(failed ? { headers: { 'Retry-After': '5' } } : {}),
      body: { success: !failed, ...report },
    }
  },
})

type MetricsParts = {
  /** The bearer token of METRICS_TOKEN; undefined if anyone may read the metrics. */
  metricsToken: string | undefined
  readMetrics(): Promise<{ body: string; contentType: string }>
}

export const getMetrics = operation({
  summary:
    'Returns counters and latencies in the Prometheus text format; needs METRICS_TOKEN as bearer token where it is set.',
  mediaType: 'text/plain',
  answer: serviceOperations['GET /metrics'].answer,
  errors: ['UNAUTHENTICATED'],
  vital: true,
  handle: (parts: { service: MetricsParts }) => (call) => {
    const { metricsToken, readMetrics } = parts.service
    if (metricsToken !== undefined) requireBearer(metricsToken, call.header('authorization'))
    return readMetrics()
  },
})

/** Source: RFC 7517 §5. */
export const getJwks = operation({
  summary: 'Returns the public keys for verifying access tokens, agent cards, receipts and status lists.',
  answer: serviceOperations['GET /.well-known/jwks.json'].answer,
  errors: [],
  // Supervisors probe with it whether the process answers at all; a restart under load would only add to the load.
  vital: true,
  isPublicDocument: true,
  handle: (parts: { service: { publicKeys: () => readonly Record<string, string>[] } }) => () => ({
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: { keys: parts.service.publicKeys() },
  }),
})

/** Source: docs/agents.md. */
export const getSignedRequests = operation({
  summary: 'Returns for which services owners may sign requests, and in which forms.',
  answer: serviceOperations['GET /.well-known/signed-requests.json'].answer,
  errors: [],
  isPublicDocument: true,
  handle: (parts: { accounts: { signedRequests: SignedRequestSettings } }) => () => {
    const { services, allowWithoutService } = parts.accounts.signedRequests
    const { withService, withoutService } = SIGNED_REQUEST_FORMS
    const forms = allowWithoutService ? [withService, withoutService] : [withService]
    return {
      headers: { 'Cache-Control': 'public, max-age=300' },
      body: { success: true as const, services, forms },
    }
  },
})
