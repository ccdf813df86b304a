import type { Db } from '../../store/database/database.ts'
import type { LockName } from '../../store/database/locks/lockName.ts'
import {
  type CurrentWriter,
  type CurrentWriterDeps,
  requireCurrentWriter,
  type Trx,
} from './requireCurrentWriter.ts'

export type WriteAsDeps = CurrentWriterDeps & { db: Pick<Db, 'transaction'> }

/** `writeAs` with its dependencies. */
export type WriteAs = <Result>(
  writer: CurrentWriter,
  changes: readonly LockName[] | 'alone',
  work: (trx: Trx) => Promise<Result>,
) => Promise<Result>

/**
 * Changes what an owner has, in a transaction that begins with `requireCurrentWriter`.
 *
 * The transaction runs alone, or holds the locks of the caller's account and of the owner, for which changes of memberships
 * wait; transactions that end sessions of an account, suspend it or remove its passkeys run alone. So what was required
 * stays true until the commit.
 *
 * @param changes What the work changes besides, as `Db.transaction` names it, or `alone`.
 * @throws ApiError as `requireCurrentWriter`, and whatever the work throws. Source: docs/decisions/0172.
 */
export async function writeAs<Result>(
  deps: WriteAsDeps,
  writer: CurrentWriter,
  changes: readonly LockName[] | 'alone',
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  return deps.db.transaction(
    async (trx) => {
      await requireCurrentWriter(deps, trx, writer)
      return work(trx)
    },
    changes === 'alone' ? undefined : [...changes, ...locksOf(writer)],
  )
}

function locksOf({ principal, ownerId }: CurrentWriter): LockName[] {
  const owner = `organization ${ownerId}` as const
  return 'userId' in principal ? [`account ${principal.userId}`, owner] : [owner]
}
