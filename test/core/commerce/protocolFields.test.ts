import { PROTOCOLS } from '@svc/core/commerce/commerceProtocol.ts'
import { protocolFields } from '@svc/core/commerce/protocolFields.ts'
import { expect } from 'chai'

/** The required fields by protocol. Source: the specification. */
const REQUIRED = {
  a2a: ['agentUrl', 'skills'],
  acp: ['merchantId', 'checkoutEndpoint'],
  ap2: ['agentDid'],
  ucp: ['manifestUrl'],
  mpp: ['merchantId'],
  x402: ['walletAddress'],
  vi: ['executionMode', 'publicKey'],
  agentpay: ['mastercardAgentId', 'publicKey'],
  tap: ['visaAgentId', 'publicKey'],
}

describe('protocolFields', () => {
  for (const protocol of PROTOCOLS) {
    it(`marks what ${protocol} requires`, () => {
      const required = protocolFields[protocol].filter((field) => field.required).map(({ name }) => name)
      expect(required).to.deep.equal(REQUIRED[protocol])
    })
  }

  it('describes what a form needs: types, closed and open choices, nested members', () => {
    const field = (protocol: keyof typeof REQUIRED, name: string) =>
      protocolFields[protocol].find((one) => one.name === name)
    expect(field('vi', 'executionMode')).to.deep.include({
      type: 'text',
      enum: ['Immediate', 'Autonomous', 'Both'],
      isOpen: false,
    })
    expect(field('ucp', 'transports')).to.deep.include({ type: 'texts', isOpen: false })
    expect(field('ucp', 'capabilities')).to.deep.include({ type: 'texts', isOpen: true })
    expect(field('tap', 'publicKey')).to.include({ type: 'text' })
    expect(field('vi', 'defaultConstraints.allowedMerchants')).to.include({ type: 'texts' })
    expect(field('vi', 'defaultConstraints.paymentAmount.max')).to.include({ type: 'number' })
    expect(field('ap2', 'policyClaims.maxTransactionValue')).to.include({ type: 'number', required: false })
    expect(field('acp', 'checkoutEndpoint')).to.include({ type: 'url', required: true })
    expect(field('vi', 'budgetLimits')).to.include({ type: 'json' })
    expect(field('tap', 'passkeyEnrolled')).to.include({ type: 'boolean' })
  })

  it('states the unit of every amount of money', () => {
    const amounts = PROTOCOLS.flatMap((protocol) =>
      protocolFields[protocol].filter(({ type }) => type === 'number'),
    )
    expect(amounts).to.have.length(4)
    for (const { name, hint } of amounts) expect(hint, name).to.match(/in (whole|minor) units of/)
  })
})
