import { sha256Hex } from '@svc/core/hash.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { AlertStore } from '../../store/approvals/alertStore.ts'
import type { OwnerContactsStore } from '../../store/approvals/ownerContactsStore.ts'
import type {
  RegistrationRequestStore,
  StoredRegistrationRequest,
} from '../../store/approvals/registrationRequestStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { InterventionStore } from '../../store/operator/interventionStore.ts'
import { buildAlert } from '../alerts/createRaiseAlert.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import { parseRequestedRegistration, resolveRequestStatus } from './registrationRequestView.ts'

/**
 * Maximum requests per transaction: few, because each may go to all members of an organisation while other writers wait.
 */
const ANNOUNCE_MAX = 5

type Trx = Parameters<RegistrationRequestStore['announce']>[0]

export type AnnounceRegistrationRequestsDeps = {
  db: Pick<Db, 'transaction'>
  requests: Pick<RegistrationRequestStore, 'announce' | 'setToken'>
  alerts: Pick<AlertStore, 'raise'>
  contacts: Pick<OwnerContactsStore, 'writersOf'>
  users: Pick<UserStore, 'byEmail'>
  interventions: Pick<InterventionStore, 'find'>
  post: Post
  clock: () => number
}

/**
 * Notifies owners of pending registration requests: an alert on the dashboard and a mail with the link. Returns the number
 * of requests processed.
 *
 * An outreach is mailed to its address, whether or not it has an account, with a token that verifies the address. This runs
 * in the background, so that response times do not reveal which addresses have an account. A suspended owner, who could not
 * decide, is sent nothing.
 *
 * Source: `Spec: States and transitions`; `Spec: POST /api/agents/request-registration`.
 */
export async function announceRegistrationRequests(deps: AnnounceRegistrationRequestsDeps): Promise<number> {
  const now = deps.clock()
  const announced = await deps.db.transaction(async (trx) => {
    const requests = await deps.requests.announce(trx, now, ANNOUNCE_MAX)
    for (const request of requests) {
      // An own request is already in front of its owner.
      if (request.kind === 'account' || resolveRequestStatus(request, now) !== 'pending') continue
      await (request.ownerEmail === null
        ? tellOwner(deps, trx, request, now)
        : writeTo(deps, trx, request, { email: request.ownerEmail, now }))
    }
    return requests.length
  })
  if (announced > 0) deps.post.wake()
  return announced
}

async function tellOwner(
  deps: AnnounceRegistrationRequestsDeps,
  trx: Trx,
  request: StoredRegistrationRequest,
  now: number,
): Promise<void> {
  const { id, ownerId, expiresAt } = request
  if (ownerId === null) return
  await raiseAlert(deps, trx, request, { ownerId, now })
  const link = `${deps.post.appUrl}/registration-requests/${id}`
  const data = { agentName: parseRequestedRegistration(request).name, link }
  for (const { userId, email } of await deps.contacts.writersOf(ownerId, trx)) {
    const key = `registration_pending.${id}.${userId}`
    await postMail(deps.post, trx, {
      template: 'registration_pending',
      recipient: email,
      ...{ key, data, now, expiresAt },
    })
  }
}

async function writeTo(
  deps: AnnounceRegistrationRequestsDeps,
  trx: Trx,
  request: StoredRegistrationRequest,
  { email, now }: { email: string; now: number },
): Promise<void> {
  const { id, expiresAt } = request
  const holder = await deps.users.byEmail(email, trx)
  const owner = holder?.emailVerifiedAt == null ? null : holder
  if (owner !== null && (await deps.interventions.find(owner.developerId, trx))) return
  const token = Buffer.from(deps.post.randomBytes(32)).toString('base64url')
  await deps.requests.setToken(trx, id, sha256Hex(token))
  const link = `${deps.post.appUrl}/registration-requests/${id}?token=${token}`
  const data = { agentName: parseRequestedRegistration(request).name, link }
  await postMail(deps.post, trx, {
    template: 'registration_outreach',
    recipient: email,
    ...{ key: `registration_outreach.${id}`, data, now, expiresAt },
  })
  if (owner !== null) await raiseAlert(deps, trx, request, { ownerId: owner.developerId, now })
}

async function raiseAlert(
  { alerts, post }: AnnounceRegistrationRequestsDeps,
  trx: Trx,
  request: StoredRegistrationRequest,
  { ownerId, now }: { ownerId: string; now: number },
): Promise<void> {
  const { id, createdAt, expiresAt } = request
  const { name: agentName } = parseRequestedRegistration(request)
  await alerts.raise(
    buildAlert(
      {
        ownerId,
        code: 'registration_pending',
        severity: 'warning',
        subject: id,
        data: { requestId: id, agentName, expiresAt: new Date(expiresAt).toISOString() },
      },
      { now, since: createdAt, randomBytes: post.randomBytes },
    ),
    trx,
  )
}
