import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'
import { classifyHostname } from '@svc/core/url/classifyHostname.ts'

const PATH = '/.well-known/svc-endpoint-verification.json'

/**
 * Builds the challenge that proves control over the host of a URL, to publish in DNS or in a file.
 *
 * The file of a public host is at its default HTTPS port whatever the scheme and port of the URL: on a shared machine,
 * anyone can answer at other ports. Private hosts, where tests run, have no such port. The file contains a list, so that
 * several endpoints of a host can share it.
 *
 * @param target.svceId Absent before the endpoint is registered. Source: RFC 8615; CA/Browser Forum "Authorized Ports".
 */
export function buildDomainChallenge(
  target: { url: string; host: string; svceId?: string | null },
  token: string,
): DomainChallenge {
  const origin = classifyHostname(target.host).public ? `https://${target.host}` : target.url
  return {
    dns: {
      name: `_svc-challenge.${target.host}`,
      type: 'TXT',
      value: `svc-endpoint-verification=${token}`,
    },
    wellKnown: {
      url: new URL(PATH, origin).href,
      body: { verifications: [{ ...(target.svceId ? { svceId: target.svceId } : {}), token }] },
    },
  }
}
