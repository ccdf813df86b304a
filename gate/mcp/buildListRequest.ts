import { randomUUID } from 'node:crypto'

/** Begins the identifiers of the gate's own requests. */
const OWN = 'svc-gate-'
/** Members of `_meta` that every request of revision 2026-07-28 has. */
const PROTOCOL_MEMBER = /^io\.modelcontextprotocol\//

/**
 * Builds the gate's own request for a page of the list of tools.
 *
 * @param metadata `_meta` of the call for which the gate asks; the request is of the same revision.
 */
export function buildListRequest(
  params: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>>,
): { id: string; text: string } {
  const id = OWN + randomUUID()
  const protocol = pickProtocolMembers(metadata)
  const _meta = Object.keys(protocol).length === 0 ? {} : { _meta: protocol }
  const request = { jsonrpc: '2.0', id, method: 'tools/list', params: { ...params, ..._meta } }
  return { id, text: JSON.stringify(request) }
}

/** Returns the members of `_meta` that the gate's own request takes from a call. */
export function pickProtocolMembers(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => PROTOCOL_MEMBER.test(name)))
}

/** Whether an identifier belongs to a request of the gate itself. */
export function isOwnRequest(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith(OWN)
}
