import { parseAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { findEntryDifference, listComparedMembers } from '@svc/core/audit/findEntryDifference.ts'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { expect } from 'chai'
import { toEventView } from '../../../server/services/activity/eventView.ts'
import { pruneEventData } from '../../../server/services/audit/archiveRecords.ts'
import type { createAuditRecord } from '../../../server/services/audit/createAuditRecord.ts'
import { AGENT_OWNER, ENDPOINT_OWNER } from '../../builders/buildNumberedRecord.ts'
import { buildRecord } from '../../builders/buildRecord.ts'

const MANDATE_HASH = `0x${'4d'.repeat(32)}` as const

const DENIAL = {
  eventType: 'verification.denied',
  ownerId: AGENT_OWNER,
  counterpartyOwnerId: ENDPOINT_OWNER,
  agentId: 'SVC-agent00000000000000000',
  sessionId: 'session-1',
  decision: 'deny',
  dimensions: ['purpose', 'limit'],
  identityProof: 'none',
  mandateHash: MANDATE_HASH,
  eventData: {
    recommendation: 'deny',
    identityProof: 'none',
    mandate: { type: 'x402', hash: MANDATE_HASH },
    dimensions: ['purpose', 'limit'],
    sessionId: 'session-1',
    agentName: 'Buyer',
    endpointName: 'Orders API',
    svceId: 'SVCE-orders0000000000000000',
    purpose: 'shopping:buy',
  },
} as const

type Recorded = Partial<Parameters<typeof createAuditRecord>[0]>

/** An event as shown to one of its parties, and the entry that was written with it. */
function shown(recorded: Recorded, viewer: string = AGENT_OWNER, isArchived = false) {
  const record = buildRecord(recorded)
  const eventData = isArchived ? pruneEventData(record.eventData) : record.eventData
  const event: ActivityEvent = toEventView({ ...record, eventData, seq: 0 }, new Set([viewer]))
  const parsed = parseAuditEntry(record.entry)
  if (!parsed.ok) throw new Error(parsed.reason)
  return { event, entry: parsed.entry }
}

function difference({ event, entry }: ReturnType<typeof shown>, changes: Partial<ActivityEvent> = {}) {
  return findEntryDifference({ ...event, ...changes }, entry)
}

describe('the difference of an event from its entry', () => {
  describe('for an event as it was recorded', () => {
    it('is none for the owner of the agent', () => {
      expect(difference(shown(DENIAL))).to.equal(null)
    })

    it('is none for the owner of the endpoint, who sees only part of it', () => {
      expect(difference(shown(DENIAL, ENDPOINT_OWNER))).to.equal(null)
    })

    it('is none if its payload was archived', () => {
      expect(difference(shown(DENIAL, AGENT_OWNER, true))).to.equal(null)
    })

    it('is none for absent members', () => {
      expect(findEntryDifference({}, shown(DENIAL).entry)).to.equal(null)
    })

    it('is none for an anonymous request', () => {
      const anonymous = {
        ...{ ...DENIAL, ownerId: null, agentId: null, sessionId: null, correlationId: 'call-1' },
        eventData: { recommendation: 'deny', decision: 'deny', correlationId: 'call-1' },
      }
      expect(difference(shown(anonymous, ENDPOINT_OWNER))).to.equal(null)
    })

    it('is none for an event that decides nothing and has dimensions, a decision or a session of its own', () => {
      const undecided = {
        decision: null,
        dimensions: [],
        sessionId: null,
        identityProof: null,
        mandateHash: null,
      }
      for (const own of [
        { eventType: 'agent.approval_rules_changed', eventData: { dimensions: ['limit'] } },
        { eventType: 'counterparty.decided', eventData: { sessionId: 'session-1', decision: 'accepted' } },
        { eventType: 'verification.reused', eventData: { sessionId: 'session-1', usedAt: 5 } },
      ]) {
        expect(difference(shown({ ...DENIAL, ...undecided, ...own }))).to.equal(null)
      }
    })
  })

  describe('for an event that was changed since', () => {
    const { event, entry } = shown(DENIAL)
    const changes: Record<string, Partial<ActivityEvent>> = {
      record: { auditRecordId: 'another' },
      kind: { eventType: 'verification.completed' },
      time: { occurredAt: '2026-01-05T00:00:00.001Z' },
      agent: { agentId: 'SVC-another000000000000000' },
      recommendation: { eventData: { ...event.eventData, recommendation: 'grant' } },
      decision: { eventData: { ...event.eventData, decision: 'grant' } },
      session: { eventData: { ...event.eventData, sessionId: 'session-2' } },
      correlation: { eventData: { ...event.eventData, correlationId: 'call-1' } },
      'failed dimensions': { eventData: { ...event.eventData, dimensions: [] } },
      'proof of identity': { eventData: { ...event.eventData, identityProof: 'signature' } },
      'payment mandate': { eventData: { ...event.eventData, mandate: { hash: `0x${'00'.repeat(32)}` } } },
    }
    for (const [name, change] of Object.entries(changes)) {
      it(`is its ${name}`, () => {
        expect(difference({ event, entry }, change)).to.match(new RegExp(`^its ${name} is `))
      })
    }

    it('is its record under its other name', () => {
      expect(difference({ event, entry }, { id: 'another' })).to.match(/^its record is /)
    })

    it('is nothing in place of what the entry states', () => {
      for (const member of ['recommendation', 'sessionId', 'identityProof', 'mandate', 'dimensions']) {
        const eventData = { ...event.eventData, [member]: null }
        expect(difference({ event, entry }, { eventData }), member).to.match(/ is shown$/)
      }
    })

    it('is any other value in place of a text', () => {
      const strange = JSON.parse('{"toString": 1}')
      for (const eventData of [
        { recommendation: strange },
        { dimensions: [strange] },
        { dimensions: strange },
      ]) {
        expect(difference({ event, entry }, { eventData })).to.match(
          /, and no (text|list of names) is shown$/,
        )
      }
    })

    it('lists the names of both sides, and calls an empty text none', () => {
      const message = (eventData: object) =>
        difference({ event, entry }, { eventData: { ...event.eventData, ...eventData } })
      expect(message({ dimensions: ['purpose', 'scope'] })).to.equal(
        'its failed dimensions is purpose, limit, and purpose, scope is shown',
      )
      expect(message({ dimensions: ['purpose', 7] })).to.equal(
        'its failed dimensions is purpose, limit, and no list of names is shown',
      )
      expect(message({ sessionId: '' })).to.equal('its session is session-1, and none is shown')
    })

    it('is a proof, or something in place of a mandate, where the entry has none', () => {
      const unproven = shown({ ...DENIAL, identityProof: null, mandateHash: null, eventData: {} })
      expect(difference(unproven, { eventData: { identityProof: 'token' } })).to.equal(
        'its proof of identity is none, and token is shown',
      )
      expect(difference(unproven, { eventData: { mandate: 'paid' } })).to.equal(
        'its payment mandate is none, and paid is shown',
      )
    })

    it('is a decision where the entry has none', () => {
      const undecided = shown({ ...DENIAL, decision: null, dimensions: [], eventData: {} })
      expect(difference(undecided, { eventData: { recommendation: 'grant' } })).to.equal(
        'its recommendation is none, and grant is shown',
      )
    })
  })
})

describe('the members of an event that are compared with its entry', () => {
  it('are those that both state, and not those that only the event has', () => {
    const { event, entry } = shown(DENIAL)
    expect(listComparedMembers(event, entry)).to.have.members([
      ...['id', 'auditRecordId', 'eventType', 'occurredAt', 'agentId', 'eventData.recommendation'],
      ...['eventData.identityProof', 'eventData.mandate.hash', 'eventData.sessionId', 'eventData.dimensions'],
    ])
  })

  it('are only those that are shown', () => {
    expect(listComparedMembers({ eventData: { decision: 'deny' } }, shown(DENIAL).entry)).to.deep.equal([
      'eventData.decision',
    ])
  })
})
