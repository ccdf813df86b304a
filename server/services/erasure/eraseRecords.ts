import type { Db } from '../../store/database/database.ts'
import type { Person } from '../../store/personal/person.ts'
import type { PersonalRecordStore } from '../../store/personal/personalRecordStore.ts'
import { pruneRecord } from '../audit/pruneRecord.ts'

export type EraseRecordsDeps = {
  db: Pick<Db, 'transaction'>
  personalRecords: PersonalRecordStore
}

type Trx = Parameters<PersonalRecordStore['erase']>[0]

/** Records in a transaction: few, because servers wait for these writes. */
const ROUND_MAX = 100

/**
 * Erases the payload of the next records in which a person is a party: event, inputs and salt.
 *
 * The entry stays, a hash under which nothing can be guessed without the salt, and so does every proof. The other party of
 * a record keeps what was decided and the amount.
 *
 * @param advance Stores the last log index in the same transaction; if it returns false, nothing is erased.
 * @returns The last log index; null if there is no further record.
 */
export async function eraseRecords(
  deps: EraseRecordsDeps,
  { person, after }: { person: Person; after: number },
  advance: (trx: Trx, cursor: number) => Promise<boolean>,
): Promise<number | null> {
  const records = await deps.personalRecords.after(person.ownerIds, after, ROUND_MAX)
  const last = records.at(-1)
  if (last === undefined) return null
  const erased = records.map((record) => {
    const parties = [record.ownerId, record.counterpartyOwnerId]
    const hasOthers = parties.some((party) => party !== null && !person.ownerIds.includes(party))
    return pruneRecord(record, { keepsAmount: hasOthers, mark: 'erased' })
  })
  await deps.db.transaction(async (trx) => {
    if (await advance(trx, last.seq)) await deps.personalRecords.erase(trx, erased)
  })
  return last.seq
}
