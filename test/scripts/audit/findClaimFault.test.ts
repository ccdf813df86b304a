import { parseAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { expect } from 'chai'
import { findClaimFault } from '../../../scripts/audit/findClaimFault.ts'
import { buildRecord } from '../../builders/buildRecord.ts'

/** A record as an archive holds it, and the entry that was written with it. */
function archivedRecord(fields: Parameters<typeof buildRecord>[0] = {}) {
  const { entryOf, ...record } = buildRecord({ inputs: { purpose: 'shopping:buy' }, ...fields })
  const parsed = parseAuditEntry(entryOf(0))
  if (!parsed.ok) throw new Error(parsed.reason)
  return { archived: JSON.parse(JSON.stringify(record)), entry: parsed.entry }
}

describe('what stands beside a proof in an archive', () => {
  const { archived, entry } = archivedRecord({ sessionId: 'session-1' })
  const faultOf = (changes: object) => findClaimFault({ archived: { ...archived, ...changes } }, entry)

  it('is true as the log held it, also of events without a session, an agent or an endpoint', () => {
    expect(faultOf({})).to.equal(null)
    for (const fields of [
      {},
      { sessionId: '' },
      { agentId: null, endpointId: null, decision: null, eventData: {} },
    ]) {
      const other = archivedRecord(fields)
      expect(findClaimFault({ archived: other.archived }, other.entry)).to.equal(null)
    }
  })

  it('is not when the entry commits to other inputs', () => {
    for (const changes of [
      { inputs: '{}' },
      { inputsSalt: '00'.repeat(16) },
      { inputs: undefined },
      { inputsSalt: 'salt' },
    ]) {
      expect(faultOf(changes)).to.equal('the entry commits to other inputs than those archived')
    }
  })

  it('is not when it says something else than the entry', () => {
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
        /^what is archived is not of the entry: its /,
      )
    }
  })
})
