import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { expect } from 'chai'
import { describeDimension } from '../../../web/src/parts/dimensionWords.ts'
import { summariseEvent } from '../../../web/src/parts/eventWords.ts'

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
})
