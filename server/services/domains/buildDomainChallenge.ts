import type { ResultOf } from '@svc/core/contract/operations.ts'
import type { EndpointRow } from '../../store/endpoints/endpointStore.ts'

/** What an owner publishes to verify a domain: either of the two. */
export type DomainChallenge = ResultOf<'POST /api/endpoints/:id/verify-domain'>['challenge']

/**
 * Builds the challenge of an endpoint, to publish in DNS or under its own origin.
 *
 * The file contains a list, so that several endpoints of a host can share it. Source: RFC 8615.
 */
export function buildDomainChallenge(
  endpoint: Pick<EndpointRow, 'svceId' | 'url' | 'host'>,
  token: string,
): DomainChallenge {
  return {
    dns: {
      name: `_svc-challenge.${endpoint.host}`,
      type: 'TXT',
      value: `svc-endpoint-verification=${token}`,
    },
    wellKnown: {
      url: new URL('/.well-known/svc-endpoint-verification.json', endpoint.url).href,
      body: { verifications: [{ svceId: endpoint.svceId ?? '', token }] },
    },
  }
}
