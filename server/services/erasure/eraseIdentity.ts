import type { OrganizationStore } from '../../store/accounts/organizationStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { ErasureStore } from '../../store/personal/erasureStore.ts'
import type { PersonalStore } from '../../store/personal/personalStore.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import { findHeir, type IsStayingDeps } from './findHeir.ts'

export type EraseIdentityDeps = IsStayingDeps & {
  organizations: Pick<OrganizationStore, 'members' | 'updateMembership' | 'deleteMembership'>
  personal: PersonalStore
  caches: Pick<AccountCaches, 'keys' | 'sessions' | 'accounts' | 'onMemberChanged'>
  onAccountChanged(userId: string): Promise<void>
  /** Called with the person’s e-mail address, which is no longer stored then. */
  onAddressErased(address: string): void
  transaction: Db['transaction']
}

type Trx = Parameters<ErasureStore['add']>[0]
type Membership = { organizationId: string; userId: string }

/**
 * Erases who a person is, in one transaction: name, addresses, documents, and every way to sign in or to act.
 *
 * Organisations with other active members stay with them. One without loses its name, and the next steps end what it owns.
 *
 * Accounts that were revoked for their agents stay revoked.
 *
 * @param advance Stores the progress in the same transaction; if it returns false, nothing is erased.
 */
export async function eraseIdentity(
  deps: EraseIdentityDeps,
  { userId, now }: { userId: string; now: number },
  advance: (trx: Trx) => Promise<boolean>,
): Promise<void> {
  const { personal } = deps
  const gone = await deps.transaction(async (trx) => {
    // First, because it locks the row against an owner who keeps the account.
    if (!(await advance(trx))) return null
    const organizations = await personal.organizationIds(trx, userId)
    const affected: Membership[] = []
    for (const id of organizations) affected.push(...(await handOver(deps, trx, id, { userId, now })))
    const person = await personal.person(userId, trx)
    if (!person) return null
    const keys = await personal.keyHashes(trx, userId)
    const sessions = await personal.sessionIds(trx, userId)
    await personal.deleteRows(trx, person, 'with the identity')
    await personal.blankAccount(trx, person)
    return { affected, keys, sessions, address: person.email }
  })
  if (gone === null) return
  for (const hash of gone.keys) deps.caches.keys.delete(hash)
  for (const id of gone.sessions) deps.caches.sessions.delete(id)
  for (const one of gone.affected) deps.caches.onMemberChanged(one.userId, one.organizationId)
  deps.caches.accounts.delete(userId)
  if (gone.address !== null) deps.onAddressErased(gone.address)
  const answering = new Set([userId, ...gone.affected.map((one) => one.userId)])
  for (const id of answering) await deps.onAccountChanged(id)
}

/**
 * Leaves an organisation to one who can manage it. If nobody is active in it, it becomes the person's own, and whoever is
 * suspended in it leaves, because they must not become its owner.
 *
 * @returns The memberships that have changed, with the person's own.
 */
async function handOver(
  deps: EraseIdentityDeps,
  trx: Trx,
  organizationId: string,
  { userId, now }: { userId: string; now: number },
): Promise<Membership[]> {
  const { organizations, personal } = deps
  const own = { organizationId, userId }
  const others = (await organizations.members(trx, organizationId)).filter((one) => one.userId !== userId)
  const heir = await findHeir(deps, trx, others)
  await personal.setCreator(trx, organizationId, { userId: heir?.userId ?? userId, now })
  if (heir === undefined) {
    for (const member of others) await organizations.deleteMembership(trx, organizationId, member.userId)
    return [own, ...others]
  }
  if (heir.role !== 'owner') await organizations.updateMembership(trx, { ...heir, role: 'owner' })
  return [own, heir]
}
