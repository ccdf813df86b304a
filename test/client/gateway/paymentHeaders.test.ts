import { readRequest } from '@svc/client/gateway/readRequest.ts'
import { verificationFieldsOf } from '@svc/client/gateway/verificationFieldsOf.ts'
import { expect } from 'chai'

const fieldsOf = (headers: Record<string, string>) =>
  verificationFieldsOf(readRequest({ method: 'GET', target: '/pay', headers })).callerMetadata

describe('the payment in the headers of a request', () => {
  it('is handed over under the name of its header, with and without a signature', () => {
    for (const name of ['payment-signature', 'x-payment']) {
      expect(fieldsOf({ [name]: 'e30=' })).to.include({ [name]: 'e30=' })
      const signed = { signature: 'sig1=:AA==:', 'signature-input': 'sig1=("@method");created=1' }
      expect(fieldsOf({ [name.toUpperCase()]: 'e30=', ...signed })).to.include({ [name]: 'e30=' })
    }
  })

  it('is the one of the newer version if there are two', () => {
    const found = fieldsOf({ 'x-payment': 'old', 'payment-signature': 'new' })
    expect(found).to.include({ 'payment-signature': 'new' })
    expect(found).to.not.have.property('x-payment')
  })

  it('is left out if it is longer than the service takes, or if there is none', () => {
    expect(fieldsOf({ 'x-payment': 'x'.repeat(8_193) })).to.not.have.property('x-payment')
    expect(Object.keys(fieldsOf({}) ?? {})).to.not.include('x-payment')
  })
})
