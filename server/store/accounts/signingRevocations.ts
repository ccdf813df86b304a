import { WRITING_ROLES } from '@svc/core/memberRole.ts'
import { accountRevocationOf } from '@svc/core/signing/accountRevocationOf.ts'
import type { Knex } from 'knex'
import { withdrawGrants } from '../receipts/receiptStore.ts'
import { addRevocations } from '../recorder/addRevocations.ts'

type Wallet = { user_id: string; address: string }

/**
 * Stores that accounts no longer sign for the agents of a user and of the organisations that the user created, until every
 * process knows, and withdraws the grants of these agents that rest on them.
 *
 * @param wallets Addresses in lower case. They are noted as unlinked; for the organisations, the database notes them.
 */
export async function addSigningRevocations(
  trx: Knex.Transaction,
  wallets: readonly Wallet[],
  now: number,
): Promise<void> {
  for (const { user_id, address } of wallets) {
    await endSigning(trx, { owners: await listOwners(trx, user_id), address, now })
  }
}

/**
 * Notes that accounts sign for no agent of an organisation, whoever of it has linked them, and does the same for it.
 *
 * @param addresses In lower case.
 */
export async function revokeForOrganization(
  trx: Knex.Transaction,
  { organizationId, addresses, now }: { organizationId: string; addresses: readonly string[]; now: number },
): Promise<void> {
  if (addresses.length === 0) return
  await trx('revoked_accounts')
    .insert(addresses.map((address) => ({ organization_id: organizationId, address })))
    .onConflict(['organization_id', 'address'])
    .ignore()
  for (const address of addresses) await endSigning(trx, { owners: [organizationId], address, now })
}

/**
 * Removes what was noted of an account that a user has linked: for the user’s own agents and, if asked to, for those of
 * organisations to whose agents the user may add keys now (`mayWriteFor`). For all others it stays revoked.
 *
 * @returns The users who created the organisations for whose agents it may sign again.
 */
export async function liftRevocations(
  trx: Knex.Transaction,
  wallet: Wallet,
  forOrganizations: boolean,
): Promise<string[]> {
  const { user_id, address } = wallet
  await trx('unlinked_wallets').delete().where(wallet)
  const organizations = forOrganizations ? await liftForOrganizations(trx, wallet) : []
  const owners = [...(await listDevelopers(trx, user_id)), ...organizations]
  await trx('used_proofs').delete().whereIn('proof', revocationsOf(owners, address))
  const creators: { id: string }[] = await trx('organizations')
    .distinct({ id: 'created_by' })
    .whereIn('id', organizations)
  return creators.map(({ id }) => id)
}

/** Returns the organisations for which the account is no longer revoked. */
async function liftForOrganizations(trx: Knex.Transaction, { user_id, address }: Wallet): Promise<string[]> {
  const writable = trx('memberships')
    .select('organization_id')
    .where({ user_id, status: 'active' })
    .whereIn('role', WRITING_ROLES)
    .whereNotIn('organization_id', trx('interventions').select('subject_id'))
  const lifted: { id: string }[] = await trx('revoked_accounts')
    .select({ id: 'organization_id' })
    .where({ address })
    .whereIn('organization_id', writable)
  const organizations = lifted.map(({ id }) => id)
  await trx('revoked_accounts').delete().where({ address }).whereIn('organization_id', organizations)
  return organizations
}

async function endSigning(
  trx: Knex.Transaction,
  { owners, address, now }: { owners: readonly string[]; address: string; now: number },
): Promise<void> {
  await addRevocations(trx, revocationsOf(owners, address), now)
  const agents = trx('agents')
    .select('svc_id')
    .whereIn('owner_id', [...owners])
  await withdrawGrants(trx, agents, { accounts: [address], at: now })
}

/** The user and the organisations whose agents a wallet of the user concerns. */
async function listOwners(trx: Knex.Transaction, userId: string): Promise<string[]> {
  const organizations: { id: string }[] = await trx('organizations')
    .select('id')
    .where({ created_by: userId })
  return [...(await listDevelopers(trx, userId)), ...organizations.map(({ id }) => id)]
}

async function listDevelopers(trx: Knex.Transaction, userId: string): Promise<string[]> {
  const developers: { id: string }[] = await trx('users').select({ id: 'developer_id' }).where({ id: userId })
  return developers.map(({ id }) => id)
}

function revocationsOf(owners: readonly string[], address: string): string[] {
  return owners.map((ownerId) => accountRevocationOf({ ownerId, address }))
}
