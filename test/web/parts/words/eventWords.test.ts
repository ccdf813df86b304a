import { PROOF_CAUSES } from '@svc/core/access/failureCauses.ts'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { expect } from 'chai'
import { describeDimension } from '../../../../web/src/parts/words/dimensionWords.ts'
import { summariseEvent } from '../../../../web/src/parts/words/eventWords.ts'

describe('the words of an event', () => {
  const event = (eventType: string, eventData: object): ActivityEvent =>
    ({ eventType, agentId: null, endpointId: null, eventData }) as ActivityEvent

  it('name the agent whose registration is requested, although it has no identifier yet', () => {
    expect(summariseEvent(event('registration.requested', { agentName: 'Shopper' })).title).to.equal(
      'Registration requested: Shopper',
    )
  })

  it('name a URL once', () => {
    const { title, about } = summariseEvent(
      event('counterparty.discovery_blocked', { counterpartyUrl: 'https://shop.example.org/' }),
    )
    expect([title, about]).to.deep.equal(['Discovery blocked: https://shop.example.org/', ''])
  })

  it('say why a request was denied or held, and repeat a dimension that they do not know', () => {
    expect(describeDimension('pdlss.limits')).to.equal('The amount is more than the agent may spend.')
    expect(describeDimension('commerce.intent.approval_required')).to.contain('without approval')
    expect(describeDimension('constructor')).to.equal('constructor')
  })

  it('say what a failed dimension lacked, if the event names a cause', () => {
    const describe = (causes: unknown) => describeDimension('pdlss.purpose', causes)
    expect(describe({ 'pdlss.purpose': 'not_stated' })).to.equal('The request names no purpose.')
    for (const causes of [undefined, null, {}, { 'pdlss.action': 'not_stated' }]) {
      expect(describe(causes)).to.equal('The agent may not act for this purpose.')
    }
  })

  it('say that a reported use contradicts its grant, and how', () => {
    const about = (eventData: object) => summariseEvent(event('verification.reused', eventData)).about
    expect(about({ purpose: 'shopping' })).to.equal('shopping')
    expect(about({ purpose: 'shopping', contradiction: 'over_value' })).to.equal(
      'shopping · contradicts its grant (over value)',
    )
  })

  it('tell a proof that did not hold, and why, from an agent that was only named', () => {
    const about = (eventData: object) => summariseEvent(event('verification.denied', eventData)).about
    const named = { identityProof: 'none' }
    expect(about(named)).to.include('Only named')
    for (const cause of PROOF_CAUSES) {
      const words = about({ ...named, wrongProof: 'signature', causes: { 'agent.proof': cause } })
      expect(words).to.match(/ · Signed, but the proof did not hold: [a-z].*[a-z]$/)
    }
    const expired = { ...named, wrongProof: 'token', causes: { 'agent.proof': 'expired' } }
    expect(about(expired)).to.include('Agent token, but it did not hold: it had expired')
    expect(about({ ...named, wrongProof: 'signature' })).to.include('Signed, but the proof did not hold')
  })
})
