import { MEMBER_ROLES } from '@svc/core/memberRole.ts'
import type { Member } from '../../store/accounts/organizationStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { InterventionStore } from '../../store/operator/interventionStore.ts'
import type { ErasureStore } from '../../store/personal/erasureStore.ts'

export type IsStayingDeps = {
  users: Pick<UserStore, 'byId'>
  erasures: Pick<ErasureStore, 'of'>
  interventions: Pick<InterventionStore, 'find'>
}

type Trx = Parameters<ErasureStore['add']>[0]

/**
 * Finds who answers for an organisation after one of its members: the active member with the highest role who has belonged
 * to it longest. Members who stay come before those who are suspended or leave themselves.
 *
 * A request is refused while there is no other owner, so anybody but an owner is found only if the last one has left since.
 *
 * @param others The members without the one who leaves. Source: docs/decisions/0104.
 */
export async function findHeir(
  deps: IsStayingDeps,
  trx: Trx,
  others: readonly Member[],
): Promise<Member | undefined> {
  const rank = ({ role }: Member) => MEMBER_ROLES.indexOf(role)
  const active = others
    .filter(({ status }) => status === 'active')
    .sort((a, b) => rank(a) - rank(b) || Number(a.createdAt) - Number(b.createdAt))
  for (const member of active) if (await isStaying(deps, trx, member.userId)) return member
  return active[0]
}

/** Whether an account can answer for an organisation: no operator has suspended it, and it is not about to be erased. */
export async function isStaying(
  { users, erasures, interventions }: IsStayingDeps,
  trx: Trx,
  userId: string,
): Promise<boolean> {
  const user = await users.byId(userId, trx)
  if (!user || (await interventions.find(user.developerId, trx))) return false
  return (await erasures.of(userId, trx)) === null
}
