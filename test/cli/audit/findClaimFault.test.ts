import { parseAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { expect } from 'chai'
import { findClaimFault } from '../../../cli/audit/findClaimFault.ts'
import { buildRecord } from '../../builders/buildRecord.ts'

/** Builds an archived record, and the entry that was written with it. */
function buildArchivedRecord(fields: Parameters<typeof buildRecord>[0] = {}) {
  const { entry, ...record } = buildRecord({ inputs: { purpose: 'shopping:buy' }, ...fields })
  const parsed = parseAuditEntry(entry)
  if (!parsed.ok) throw new Error(parsed.reason)
  return { archived: JSON.parse(JSON.stringify(record)), proven: { entry: parsed.entry, index: 0 } }
}

describe('findClaimFault on an archived record', () => {
  const { archived, proven } = buildArchivedRecord({ sessionId: 'session-1' })
  const faultOf = (changes: object) => findClaimFault({ archived: { ...archived, ...changes } }, proven)

  it('accepts the stored record, also of an event without a session, an agent or an endpoint', () => {
    expect(faultOf({})).to.equal(null)
    for (const fields of [
      {},
      { sessionId: '' },
      { agentId: null, endpointId: null, decision: null, eventData: {} },
    ]) {
      const other = buildArchivedRecord(fields)
      expect(findClaimFault({ archived: other.archived }, other.proven)).to.equal(null)
    }
  })

  it('accepts a record whose content was erased or removed, and only if its event says so', () => {
    const gone = { inputs: '', inputsSalt: '', receipt: '' }
    for (const mark of ['erased', 'removed']) {
      expect(faultOf({ ...gone, eventData: JSON.stringify({ [mark]: true }) })).to.equal(null)
    }
    expect(faultOf(gone)).to.equal('the entry commits to other inputs than those archived')
  })

  it('rejects inputs that the entry does not commit to', () => {
    for (const changes of [
      { inputs: '{}' },
      { inputsSalt: '00'.repeat(16) },
      { inputs: undefined },
      { inputsSalt: 'salt' },
    ]) {
      expect(faultOf(changes)).to.equal('the entry commits to other inputs than those archived')
    }
  })

  it('rejects a member that differs from the entry', () => {
    for (const changes of [
      { eventType: 'agent.registered' },
      { agentId: null },
      { endpointId: undefined },
      { sessionId: null },
      { sessionId: 'session-2' },
      { recordedAt: archived.recordedAt + 1 },
      { recordedAt: 1e300 },
      { recordedAt: undefined },
      { eventData: '{"recommendation":"deny"}' },
    ]) {
      expect(faultOf(changes), JSON.stringify(changes)).to.match(
        /^the archived record does not match its entry: its /,
      )
    }
  })
})
