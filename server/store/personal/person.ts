import type { Knex } from 'knex'

/** Whose data is erased. */
export type Person = {
  /** Internal id of the account. */
  userId: string
  /** `SVCD-` identifier. */
  developerId: string
  /** Null once it is erased, and for an account with wallets only. */
  email: string | null
  /** The developer, with accounts of wallets that were merged into it, and the organisations that have no other member. */
  ownerIds: readonly string[]
}

/** Reads whose data belongs to an account; null if there is no such account. */
export async function readPerson(run: Knex, userId: string): Promise<Person | null> {
  const user = await run('users').select('developer_id', 'email').where({ id: userId }).first()
  if (!user) return null
  const own = await run('organizations')
    .select('id')
    .where((mine) => {
      const joined = run('memberships').select('organization_id').where({ user_id: userId })
      mine.where({ created_by: userId }).orWhereIn('id', joined)
    })
    .whereNotExists(
      run('memberships')
        .select('user_id')
        .whereRaw('memberships.organization_id = organizations.id')
        .whereNot({ user_id: userId }),
    )
  const merged = await run('users').select('developer_id').where({ merged_into: userId })
  return {
    userId,
    developerId: user.developer_id,
    email: user.email,
    ownerIds: [
      user.developer_id,
      ...merged.map(({ developer_id }) => String(developer_id)),
      ...own.map(({ id }) => String(id)),
    ],
  }
}
