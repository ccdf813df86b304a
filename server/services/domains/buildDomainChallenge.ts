import type { EndpointRow } from '../../store/endpoints/endpointStore.ts'

/** What an owner publishes to prove a domain: either of the two. */
export type DomainChallenge = {
  dns: { name: string; type: 'TXT'; value: string }
  wellKnown: { url: string; body: { verifications: { svceId: string; token: string }[] } }
}

/**
 * What has to be published for an endpoint, by DNS or under its own origin.
 *
 * The file lists verifications, so that several endpoints of one host share it.
 *
 * Source: api.md "Endpoints" (`verify-domain`); RFC 8615.
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
