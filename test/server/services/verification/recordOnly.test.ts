import { expect } from 'chai'
import { buildDiscoveryBlockedRecords } from '../../../../server/services/verification/recordOnly.ts'

type Resolved = Parameters<typeof buildDiscoveryBlockedRecords>[1]

describe('the record of a URL that is not stored', () => {
  const resolved = {
    endpoint: { ownerId: 'SVCO-1', url: 'http://localhost:9000', facts: { tier: 'unknown' } },
    blockedReason: 'url_hostname_localhost',
  } as unknown as Resolved
  const settings = { randomBytes: (length: number) => new Uint8Array(length) }
  const payloadOf = (agent: Parameters<typeof buildDiscoveryBlockedRecords>[3]) =>
    buildDiscoveryBlockedRecords(settings, resolved, 1, agent).map(({ eventData }) =>
      JSON.parse(String(eventData)),
    )

  it('names the agent, so that its owner need not know it by its identifier', () => {
    expect(payloadOf({ svcId: 'SVC-1', ownerId: 'SVCD-1', name: 'Buyer' })).to.deep.equal([
      {
        reason: 'url_hostname_localhost',
        agentName: 'Buyer',
        counterpartyUrl: 'http://localhost:9000',
        endpointTier: 'unknown',
      },
    ])
    expect(payloadOf(null)[0]).to.not.have.property('agentName')
  })
})
