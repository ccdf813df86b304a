import type { PushSubscriptionView } from '@svc/core/contract/pushSubscriptions.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { apiError, validationError } from '../../errors.ts'
import type {
  PushSubscriptionStore,
  StoredPushSubscription,
} from '../../store/approvals/pushSubscriptionStore.ts'
import type { Db } from '../../store/database/database.ts'
import { findPublicHostFault } from '../findPublicHostFault.ts'
import type { SessionPrincipal } from '../principal.ts'
import { hashPushHost } from './hashPushHost.ts'
import { type BrowserSubscription, type OpenSubscriptionDeps, sealSubscription } from './sealSubscription.ts'

/** Browsers of an account; of more, the oldest is no longer notified. */
const BROWSERS_MAX = 10

export type AddPushSubscriptionDeps = OpenSubscriptionDeps & {
  db: Pick<Db, 'transaction'>
  subscriptions: Pick<PushSubscriptionStore, 'put'>
  allowPrivateNetwork: boolean
  randomBytes: (length: number) => Uint8Array
}

export type AddPushSubscriptionInput = BrowserSubscription & {
  principal: SessionPrincipal
  /** As it describes itself; null if unknown. */
  browser: string | null
  now: number
}

/**
 * Notifies a browser of approvals from now on. A browser that subscribes again, also for another account, replaces its
 * former subscription.
 *
 * @throws ApiError VALIDATION_ERROR for an address that is not HTTPS at a public host.
 */
export async function addPushSubscription(
  deps: AddPushSubscriptionDeps,
  { principal, browser, endpoint, keys, now }: AddPushSubscriptionInput,
): Promise<PushSubscriptionView> {
  const { db, subscriptions, allowPrivateNetwork, randomBytes } = deps
  const fault = findEndpointFault(endpoint, allowPrivateNetwork)
  if (fault !== null) throw validationError([{ pointer: '/endpoint', code: 'invalid_url', message: fault }])
  const id = generateUuidV4(randomBytes(16))
  const stored = {
    ...{ id, browser, userId: principal.userId, createdAt: now },
    endpointHash: sha256Hex(endpoint),
    hostHash: hashPushHost(endpoint),
    sealed: sealSubscription(deps, id, { endpoint, keys }),
  }
  await db.transaction((trx) => subscriptions.put(trx, stored, BROWSERS_MAX))
  return toView(stored)
}

function findEndpointFault(endpoint: string, allowPrivateNetwork: boolean): string | null {
  const isHttps = new URL(endpoint).protocol === 'https:'
  if (!isHttps && !allowPrivateNetwork) return 'expected an https URL'
  return findPublicHostFault(endpoint, allowPrivateNetwork)
}

type Listed = Pick<StoredPushSubscription, 'id' | 'browser' | 'createdAt'>

function toView({ id, browser, createdAt }: Listed): PushSubscriptionView {
  return { id, browser, createdAt: new Date(createdAt).toISOString() }
}

export type ListPushSubscriptionsDeps = {
  subscriptions: Pick<PushSubscriptionStore, 'ofUser'>
  /** With which browsers subscribe. */
  pushPublicKey: string
}

/** Lists the caller's browsers that are notified, newest first, and the key with which another one subscribes. */
export async function listPushSubscriptions(
  { subscriptions, pushPublicKey }: ListPushSubscriptionsDeps,
  { principal }: { principal: SessionPrincipal },
): Promise<{ publicKey: string; items: PushSubscriptionView[] }> {
  const found = await subscriptions.ofUser(principal.userId)
  return { publicKey: pushPublicKey, items: found.map(toView) }
}

export type RemovePushSubscriptionDeps = {
  db: Pick<Db, 'transaction'>
  subscriptions: Pick<PushSubscriptionStore, 'removeOwn'>
}

/** Stops notifying one of the caller's browsers. @throws ApiError NOT_FOUND. */
export async function removePushSubscription(
  { db, subscriptions }: RemovePushSubscriptionDeps,
  { principal, id }: { principal: SessionPrincipal; id: string },
): Promise<void> {
  const isRemoved = await db.transaction((trx) => subscriptions.removeOwn(trx, principal.userId, id))
  if (!isRemoved) throw apiError('NOT_FOUND')
}
