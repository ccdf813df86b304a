import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { buildAlert } from '../alerts/createRaiseAlert.ts'
import { buildEndpointRecord } from '../endpoints/buildEndpointRecord.ts'
import { postMail } from '../mail/postMail.ts'
import type { HostDeps } from './hostDeps.ts'

/** Maximum endpoints archived in one transaction, because other writers wait for it. */
export const ARCHIVED_MAX = 100

type Trx = Parameters<EndpointStore['insert']>[0]

/**
 * Archives endpoints whose host another account has proven, with a record of each, and notifies their owners by alert and
 * mail, once for each owner. Their history remains.
 *
 * @param archived.method How the host was proven.
 */
export async function archiveObstacles(
  deps: HostDeps,
  trx: Trx,
  { obstacles, method, now }: { obstacles: readonly EndpointRow[]; method: string; now: number },
): Promise<void> {
  const context = { now, randomBytes: deps.post.randomBytes }
  const details = { cause: 'host_proven_by_another_account', method }
  for (const endpoint of obstacles) {
    const change = { status: 'archived' as const, updatedAt: now }
    await deps.stores.endpoints.update(trx, endpoint.id, change)
    const record = buildEndpointRecord('endpoint.archived', { ...endpoint, ...change }, details, context)
    await deps.stores.records.append(trx, record)
  }
  const firstOfOwner = new Map(obstacles.toReversed().map((endpoint) => [endpoint.ownerId, endpoint]))
  for (const endpoint of firstOfOwner.values()) await notifyFormerOwner(deps, trx, endpoint, now)
}

async function notifyFormerOwner(
  deps: HostDeps,
  trx: Trx,
  endpoint: EndpointRow,
  now: number,
): Promise<void> {
  const { alerts, contacts } = deps.stores
  const { ownerId, host, svceId } = endpoint
  const data = { host, svceId: svceId ?? '' }
  await alerts.raise(
    buildAlert(
      { ownerId, code: 'endpoint.host_lost', severity: 'critical', subject: host, data },
      { now, randomBytes: deps.post.randomBytes },
    ),
    trx,
  )
  const link = `${deps.post.appUrl}/endpoints/${svceId}`
  for (const { userId, email } of await contacts.writersOf(ownerId, trx)) {
    const key = `host_lost.${ownerId}.${host}.${now}.${userId}`
    await postMail(deps.post, trx, {
      template: 'host_lost',
      recipient: email,
      data: { host, link },
      now,
      key,
    })
  }
}
