import { apiError } from '../../errors.ts'
import type { OrganizationStore } from '../../store/accounts/organizationStore.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { User, UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { ErasureStore } from '../../store/personal/erasureStore.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireFreshProof } from '../requireFreshProof.ts'
import { type IsStayingDeps, isStaying } from './findHeir.ts'

export type RequestErasureDeps = IsStayingDeps & {
  users: Pick<UserStore, 'byId' | 'hasOtherOperator'>
  organizations: Pick<OrganizationStore, 'membershipsOf' | 'members' | 'byId'>
  passkeys: Pick<PasskeyStore, 'ofUser'>
  sessions: Pick<SessionStore, 'endOfUser'>
  erasures: Pick<ErasureStore, 'add' | 'of'>
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'sessions'>
  post: Post
}

type Trx = Parameters<ErasureStore['add']>[0]

/** How long the account can still be kept. */
const GRACE_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Schedules the erasure of the caller's account, and ends its other sessions; a repeated request changes nothing.
 *
 * Until then, keys, agents and endpoints go on, so that keeping the account restores everything, and nothing of
 * somebody's business stops by mistake.
 *
 * @returns When the account will be erased, in epoch milliseconds.
 * @throws ApiError ELEVATION_REQUIRED, INVALID_STATE for the last operator, and for the only owner of an organisation with
 * other members. Source: docs/decisions/0104.
 */
export async function requestErasure(
  deps: RequestErasureDeps,
  { principal, now }: { principal: SessionPrincipal; now: number },
): Promise<number> {
  const { userId, sessionId } = principal
  await requireFreshProof(deps, principal, now)
  const { eraseAt, ended } = await deps.transaction(async (trx) => {
    const user = await deps.users.byId(userId, trx)
    if (!user) throw apiError('UNAUTHENTICATED')
    const before = await deps.erasures.of(userId, trx)
    if (before) return { eraseAt: before.eraseAt, ended: [] }
    await keepAnOperator(deps, trx, user)
    await keepOwners(deps, trx, userId)
    const eraseAt = now + GRACE_MS
    await deps.erasures.add(trx, { userId, requestedAt: now, eraseAt })
    await mailOwner(deps, trx, user, { eraseAt, now })
    const end = { at: now, reason: 'signed_out_everywhere' } as const
    return { eraseAt, ended: await deps.sessions.endOfUser(trx, userId, end, sessionId) }
  })
  for (const id of ended) deps.caches.sessions.delete(id)
  deps.post.wake()
  return eraseAt
}

async function keepAnOperator({ users }: RequestErasureDeps, trx: Trx, user: User): Promise<void> {
  if (user.role !== 'operator' || (await users.hasOtherOperator(trx, user.id))) return
  throw apiError('INVALID_STATE', {
    message: 'You are the only operator of this service. Name another one before you delete your account.',
  })
}

/** An organisation with other members needs somebody else who can manage it, and who stays. */
async function keepOwners(deps: RequestErasureDeps, trx: Trx, userId: string): Promise<void> {
  const { organizations } = deps
  for (const { organizationId } of await organizations.membershipsOf(userId, trx)) {
    const others = (await organizations.members(trx, organizationId)).filter((one) => one.userId !== userId)
    if (others.length === 0) continue
    const owners = others.filter(({ role, status }) => role === 'owner' && status === 'active')
    const staying = await Promise.all(owners.map((owner) => isStaying(deps, trx, owner.userId)))
    if (staying.includes(true)) continue
    const name = (await organizations.byId(trx, organizationId))?.name ?? organizationId
    throw apiError('INVALID_STATE', {
      message: `${name} has other members, and no other owner who stays. Make one of them an owner or remove them, and then delete your account.`,
    })
  }
}

async function mailOwner(
  { post }: RequestErasureDeps,
  trx: Trx,
  { email }: User,
  { eraseAt, now }: { eraseAt: number; now: number },
): Promise<void> {
  if (email === null) return
  const data = { eraseAt, link: `${post.appUrl}/account` }
  await postMail(post, trx, {
    template: 'erasure_requested',
    recipient: email,
    data,
    now,
    expiresAt: eraseAt,
  })
}
