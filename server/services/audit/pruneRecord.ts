import type { PrunedRecord } from '../../store/audit/prunePayload.ts'
import type { LoggedRecord } from '../../store/feed/projectionStore.ts'
import { describeForParties } from '../projection/describeForParties.ts'
import { readRecord } from '../projection/readRecord.ts'
import { COUNTED_MEMBERS } from './countedMembers.ts'

/** Members without names, addresses or free text. */
const KEPT = [
  ...COUNTED_MEMBERS,
  ...['sharesOwner', 'dimensions', 'sessionId', 'correlationId', 'approvalId', 'cause', 'decision'],
  ...['archived', 'erased', 'removed'],
]
/** What a sale was worth, which a party may need for its books. */
const AMOUNT = ['transactionValue', 'currency']

/**
 * Reduces a record to what was decided, and the amount if it stays.
 *
 * @param mark Why the rest is gone: erased with a person, or removed by retention.
 */
export function pruneRecord(
  record: LoggedRecord,
  { keepsAmount, mark }: { keepsAmount: boolean; mark: 'erased' | 'removed' },
): PrunedRecord {
  const kept = keepsAmount ? [...KEPT, ...AMOUNT] : KEPT
  const members = Object.entries(readRecord(record).data).filter(([member]) => kept.includes(member))
  const eventData = JSON.stringify({ ...Object.fromEntries(members), [mark]: true })
  const events = describeForParties(readRecord({ ...record, eventData }))
  return { seq: record.seq, recordId: record.recordId, eventData, events }
}
