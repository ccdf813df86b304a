import type { IncomingMessage } from 'node:http'
import { contradictsHost } from '@svc/client/gateway/contradictsHost.ts'
import { countHosts } from '@svc/core/url/countHosts.ts'
import { buildProblem } from '../sendRefusal.ts'
import { findRepeatProblem } from './findRepeatProblem.ts'

/** Source: RFC 3986 §3.2.2; RFC 9110 §7.2. */
const HOST = /^(?:\[[0-9a-fA-F:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/

/**
 * Returns the refusal of a request that could be taken for another one than what was verified; undefined if it cannot.
 *
 * Some servers end the path at `#`, as the gateway does, and others take what follows for a part of it. Of two hosts, the
 * server may take the other one, also if one of them is in the target and the other in `Host`.
 *
 * Source: RFC 9112 §3.2.
 */
export function findRequestProblem({
  url = '/',
  headers: { host },
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>): ReturnType<typeof buildProblem> | undefined {
  if (url.includes('#')) return buildProblem(400, 'The target of a request has no fragment.')
  if (countHosts(rawHeaders) > 1 || !HOST.test(host ?? '')) {
    return buildProblem(400, 'A request has one valid host.')
  }
  return contradictsHost(url, host ?? '')
    ? buildProblem(400, 'A target that is a URL names the host of the Host header, and no user.')
    : findRepeatProblem({ rawHeaders })
}
