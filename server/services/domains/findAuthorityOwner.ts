import { classifyHostname } from '@svc/core/url/classifyHostname.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'

/**
 * Finds the endpoint by which another owner has claimed the host of an authority, one with a verified domain first; null if
 * nobody has. Private hosts, where tests run, belong to nobody.
 */
export async function findAuthorityOwner(
  endpoints: Pick<EndpointStore, 'claimedByOthers'>,
  { authority, ownerId }: { authority: string; ownerId: string },
  reader?: Parameters<EndpointStore['claimedByOthers']>[2],
): Promise<EndpointRow | null> {
  // Without the dot of the root, which authorities that were stored before may end with.
  const host = authority.replace(/\.*(:\d+)?$/, '')
  if (!classifyHostname(host).public) return null
  const [first] = await endpoints.claimedByOthers({ host, ownerId }, 1, reader)
  return first ?? null
}
