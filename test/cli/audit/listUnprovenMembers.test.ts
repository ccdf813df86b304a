import { parseAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { expect } from 'chai'
import { listUnprovenMembers } from '../../../cli/audit/listUnprovenMembers.ts'
import { toEventView } from '../../../server/services/activity/eventView.ts'
import { AGENT_OWNER } from '../../builders/buildNumberedRecord.ts'
import { buildRecord } from '../../builders/buildRecord.ts'

/** A record as an export and an archive show it, with its entry. */
function buildShown() {
  const mandateHash = `0x${'4d'.repeat(32)}` as const
  const record = buildRecord({
    ...{ ownerId: AGENT_OWNER, inputs: { purpose: 'shopping:buy' }, mandateHash, sessionId: 'session-1' },
    eventData: {
      ...{ recommendation: 'grant', sessionId: 'session-1', mandate: { type: 'x402', hash: mandateHash } },
      ...{ purpose: 'shopping:buy', transactionValue: 20 },
    },
  })
  const { entry: text, ...row } = record
  const parsed = parseAuditEntry(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  const event = toEventView({ ...record, seq: 0 }, new Set([AGENT_OWNER]))
  return { entry: parsed.entry, recordId: record.recordId, event, archived: JSON.parse(JSON.stringify(row)) }
}

describe('listUnprovenMembers', () => {
  const { entry, recordId, event, archived } = buildShown()

  it('lists what an event states beyond its entry', () => {
    expect(listUnprovenMembers({ recordId, seq: 3, event }, entry)).to.have.members([
      ...['event.endpointId', 'event.endpointCategory'],
      ...['event.eventData.mandate.type', 'event.eventData.purpose', 'event.eventData.transactionValue'],
    ])
  })

  it('lists what an archived record states beyond its entry and the inputs that it commits to', () => {
    const names = listUnprovenMembers({ archived }, entry)
    expect(names).to.include.members(['archived.ownerId', 'archived.eventData.purpose'])
    for (const proven of ['inputs', 'inputsSalt', 'endpointId', 'sessionId', 'eventType', 'eventData'])
      expect(names).to.not.include(`archived.${proven}`)
  })

  it('lists a member of another type, which nothing can be compared with', () => {
    const claims = { recordId: 7, seq: '3', event: [], receipt: {}, issuerKey: {}, archived: 'row' }
    expect(listUnprovenMembers(claims, entry)).to.have.members(Object.keys(claims))
    expect(listUnprovenMembers({ archived: { eventData: 'nonsense' } }, entry)).to.deep.equal([
      'archived.eventData',
    ])
    expect(listUnprovenMembers({ event: { eventData: 'text' } }, entry)).to.deep.equal(['event.eventData'])
  })

  it('does not mistake a name with a dot for a member that was compared', () => {
    const forged = { ...event, 'eventData.recommendation': 'deny' }
    expect(
      listUnprovenMembers({ event: forged, 'event.eventType': 'x' } as object, entry),
    ).to.include.members([...['event."eventData.recommendation"', '"event.eventType"']])
  })

  it('lists unknown members, and shortens their names', () => {
    const claims = { success: true, note: 'approved', ['n'.repeat(100)]: 1 } as object
    expect(listUnprovenMembers(claims, entry)).to.deep.equal(['note', `${'n'.repeat(60)}…`])
  })
})
