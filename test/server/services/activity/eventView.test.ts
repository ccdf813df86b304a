import { expect } from 'chai'
import { toEventView } from '../../../../server/services/activity/eventView.ts'
import { SAMPLE_OWNER_ID } from '../../../../server/services/verification/parties/relateOwners.ts'

const AGENT_OWNER = 'SVCD-agentowner000000000000'
const ENDPOINT_OWNER = 'SVCO-endpointowner0000000000'

const DATA = {
  recommendation: 'grant',
  agentName: 'Buyer',
  countsAgainstAgent: false,
  decidedBy: 'a person',
  endpointName: 'Shop',
  endpointTier: 'self_asserted',
  counterpartyType: 'api',
  counterpartyUrl: 'https://shop.acme.io',
  svceId: 'SVCE-0000000000000000000001',
  caller: { sourceIp: '192.0.2.7', userAgent: 'bot/1' },
}

/** A stored event; `fields` change it, `data` its payload. */
function event(fields: object = {}, data: object = {}) {
  return {
    seq: 7,
    recordId: '01938000-0000-7000-8000-000000000007',
    recordedAt: Date.UTC(2026, 10, 21),
    eventType: 'verification.completed',
    ownerId: AGENT_OWNER,
    counterpartyOwnerId: ENDPOINT_OWNER,
    agentId: 'SVC-agent00000000000000000',
    endpointId: '01938000-0000-7000-8000-00000000e0e0',
    sessionId: null,
    eventData: JSON.stringify({ ...DATA, ...data }),
    ...fields,
  }
}

describe('eventView', () => {
  const seenBy = (record: ReturnType<typeof event>, ...owners: string[]) =>
    toEventView(record, new Set(owners))

  it('shows the agent’s owner only id and type of an external endpoint, and no caller', () => {
    const view = seenBy(event(), AGENT_OWNER)
    expect(view).to.deep.include({ endpointCategory: 'external', callerCategory: null })
    expect(view.endpointId).to.equal('SVCE-0000000000000000000001')
    expect(view.eventData).to.have.all.keys(
      'recommendation',
      'agentName',
      'countsAgainstAgent',
      'decidedBy',
      'counterpartyType',
      'svceId',
    )
  })

  it('names the sample counterparty, which nobody owns', () => {
    const view = seenBy(event({ counterpartyOwnerId: SAMPLE_OWNER_ID, endpointId: null }), AGENT_OWNER)
    expect(view.eventData).to.include({ endpointName: 'Shop', counterpartyUrl: DATA.counterpartyUrl })
  })

  it('shows nobody the people behind the endpoint', () => {
    for (const owners of [[AGENT_OWNER], [ENDPOINT_OWNER], [AGENT_OWNER, ENDPOINT_OWNER]]) {
      const view = seenBy(event({}, { behaviourSource: 'person-1 person-2' }), ...owners)
      expect(view.eventData).to.not.have.property('behaviourSource')
    }
  })

  for (const endpointTier of ['discovered', 'unknown']) {
    it(`shows the agent’s owner an endpoint that is ${endpointTier} as unregistered, with its URL`, () => {
      const view = seenBy(event({}, { endpointTier }), AGENT_OWNER)
      expect(view.endpointCategory).to.equal('unregistered')
      expect(view.eventData.counterpartyUrl).to.equal(DATA.counterpartyUrl)
      expect(view.eventData).to.not.have.property('caller')
    })
  }

  it('shows the endpoint’s owner only the identifier of another owner’s agent', () => {
    const view = seenBy(event(), ENDPOINT_OWNER)
    expect(view).to.deep.include({
      callerCategory: 'externally_governed',
      endpointCategory: null,
      agentId: 'SVC-agent00000000000000000',
    })
    expect(view.eventData).to.not.have.any.keys('agentName', 'caller', 'decidedBy', 'countsAgainstAgent')
    expect(view.eventData.endpointName).to.equal('Shop')
  })

  it('shows the endpoint’s owner how a caller without identity arrived', () => {
    const view = seenBy(event({ ownerId: null, agentId: null }), ENDPOINT_OWNER)
    expect(view.callerCategory).to.equal('ungoverned')
    expect(view.eventData.caller).to.deep.equal(DATA.caller)
  })

  it('hides nothing from an owner of both sides', () => {
    const view = seenBy(event(), AGENT_OWNER, ENDPOINT_OWNER)
    expect(view).to.deep.include({ callerCategory: 'internally_governed', endpointCategory: 'internal' })
    expect(view.eventData).to.deep.equal(DATA)
  })

  it('names no caller for an endpoint’s own changes, and no endpoint for an agent’s', () => {
    const changed = event({ eventType: 'endpoint.updated', ownerId: null, agentId: null })
    expect(seenBy(changed, ENDPOINT_OWNER)).to.deep.include({ callerCategory: null, endpointCategory: null })
    const registered = event({ eventType: 'agent.registered', counterpartyOwnerId: null, endpointId: null })
    expect(seenBy(registered, AGENT_OWNER)).to.deep.include({ callerCategory: null, endpointCategory: null })
  })
})
