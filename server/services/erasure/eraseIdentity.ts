import type { Member, OrganizationStore } from '../../store/accounts/organizationStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { ErasureStore } from '../../store/personal/erasureStore.ts'
import type { PersonalStore } from '../../store/personal/personalStore.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'

export type EraseIdentityDeps = {
  organizations: Pick<OrganizationStore, 'members' | 'updateMembership'>
  personal: PersonalStore
  caches: Pick<AccountCaches, 'keys' | 'sessions' | 'accounts' | 'onMemberChanged'>
  onAccountChanged(userId: string): Promise<void>
  transaction: Db['transaction']
}

type Trx = Parameters<ErasureStore['add']>[0]

/**
 * Erases who a person is, in one transaction: name, addresses, documents, and every way to sign in or to act.
 *
 * Organisations with other members stay with them. One that nobody else belongs to loses its name, and the next steps end
 * what it owns.
 *
 * @param advance Stores the progress in the same transaction; if it returns false, nothing is erased.
 */
export async function eraseIdentity(
  deps: EraseIdentityDeps,
  userId: string,
  advance: (trx: Trx) => Promise<boolean>,
): Promise<void> {
  const { personal } = deps
  const gone = await deps.transaction(async (trx) => {
    // First, because it locks the row against an owner who keeps the account.
    if (!(await advance(trx))) return null
    const organizations = await personal.organizationIds(trx, userId)
    for (const id of organizations) await handOver(deps, trx, id, userId)
    const person = await personal.person(userId, trx)
    if (!person) return null
    const keys = await personal.keyHashes(trx, userId)
    const sessions = await personal.sessionIds(trx, userId)
    await personal.deleteRows(trx, person, 'with the identity')
    await personal.blankAccount(trx, person)
    return { organizations, keys, sessions }
  })
  if (gone === null) return
  for (const hash of gone.keys) deps.caches.keys.delete(hash)
  for (const id of gone.sessions) deps.caches.sessions.delete(id)
  for (const id of gone.organizations) deps.caches.onMemberChanged(userId, id)
  deps.caches.accounts.delete(userId)
  await deps.onAccountChanged(userId)
}

/** Leaves an organisation to one who can manage it, or marks it as the person's own if there is nobody else. */
async function handOver(
  { organizations, personal }: EraseIdentityDeps,
  trx: Trx,
  organizationId: string,
  userId: string,
): Promise<void> {
  const members = await organizations.members(trx, organizationId)
  const heir = findHeir(members.filter((member) => member.userId !== userId))
  await personal.setCreator(trx, organizationId, heir?.userId ?? userId)
  if (heir && (heir.role !== 'owner' || heir.status !== 'active')) {
    await organizations.updateMembership(trx, { ...heir, role: 'owner', status: 'active' })
  }
}

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const

/**
 * The active member with the highest role who has belonged to it longest. A request is refused while there is no other
 * owner, so anybody but an owner is found only if the last one has left since.
 */
function findHeir(members: readonly Member[]): Member | undefined {
  const rank = ({ status, role }: Member) => (status === 'active' ? 0 : ROLES.length) + ROLES.indexOf(role)
  return [...members].sort((a, b) => rank(a) - rank(b) || Number(a.createdAt) - Number(b.createdAt))[0]
}
