import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import { clearHost } from '../domains/clearHost.ts'
import { clearHostAhead } from '../domains/clearHostAhead.ts'
import { contestHost } from '../domains/contestHost.ts'
import type { FoundDomainProof } from '../domains/findDomainProof.ts'
import { isProven } from '../domains/findObstacles.ts'
import type { HostClaim, HostDeps } from '../domains/hostDeps.ts'
import { storeDomainCheck } from '../domains/storeDomainCheck.ts'
import type { Principal } from '../principal.ts'
import type { WaitForHost } from '../waitForHost.ts'
import { type EndpointView, toEndpointView } from './endpointView.ts'

export type RegisterOnHostDeps = { hosts: HostDeps; writeAs: WriteAs }

/** A registered endpoint with its webhook secret, which is not shown again. */
export type RegisteredEndpoint = { svceId: string; webhookSecret: string; endpoint: EndpointView }

type Trx = Parameters<EndpointStore['insert']>[0]

/**
 * Stores a claimed endpoint if its host is free.
 *
 * A host belongs to the first owner that registers on it, until another one proves control over it: the endpoints of the
 * first are then archived, and the new one begins with a verified domain.
 *
 * @param store Stores the endpoint in the transaction, and returns it with its secret.
 * @throws ApiError URL_ALREADY_CLAIMED; as `WaitForHost` and `writeAs`. Source: `Spec: Endpoint (counterparty)` ("the first
 * account to claim a URL blocks later claims").
 */
export async function registerOnHost(
  deps: RegisterOnHostDeps,
  claim: HostClaim & { principal: Principal; waitForHost: WaitForHost },
  store: (trx: Trx) => Promise<{ endpoint: EndpointRow & { svceId: string }; secret: string }>,
): Promise<RegisteredEndpoint> {
  const { hosts } = deps
  const found = await contestHost(hosts, claim)
  await clearHostAhead(hosts, claim, found)
  let changed: EndpointRow[] = []
  const answer = await deps.writeAs(claim, 'alone', async (trx) => {
    const archived = await clearHost(hosts, trx, claim, found)
    const { endpoint, secret } = await store(trx)
    const registered = await proveHost(hosts, trx, { endpoint, found, now: claim.now })
    changed = [...archived, registered]
    return { svceId: endpoint.svceId, webhookSecret: secret, endpoint: toEndpointView(registered) }
  })
  for (const endpoint of changed) {
    hosts.onEndpointChanged(endpoint)
    if (isProven(endpoint)) await hosts.onTierChanged(endpoint)
  }
  if (changed.length > 1) hosts.post.wake()
  return answer
}

/** Raises the tier of a new endpoint whose owner has proven the host. */
async function proveHost(
  hosts: HostDeps,
  trx: Trx,
  { endpoint, found, now }: { endpoint: EndpointRow; found: FoundDomainProof | null; now: number },
): Promise<EndpointRow> {
  if (found === null || found.method === null) return endpoint
  const token = hosts.tokenOf(endpoint.ownerId, endpoint.host)
  const proof = await hosts.stores.proofs.ofEndpoint(endpoint.id, token, trx)
  const deps = { stores: hosts.stores, randomBytes: hosts.post.randomBytes }
  return storeDomainCheck(deps, trx, { endpoint, proof, found, now })
}
