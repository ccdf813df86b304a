import { RECEIPT_SECONDS_MAX, RECEIPT_TYPE } from '@svc/core/receipt/receipt.ts'
import { expect } from 'chai'
import { findIssuerFault } from '../../../cli/audit/findIssuerFault.ts'

const CLAIMS = {
  ...{ iss: 'https://registry.example', sub: 'SVC-agent', aud: 'SVCE-shop', jti: 'record' },
  ...{ recommendation: 'grant', accessLevel: 'standard', identityProof: 'signature', iat: 1_000 },
}
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const receiptOf = (exp: number) =>
  `${encode({ alg: 'EdDSA', kid: 'key', typ: RECEIPT_TYPE })}.${encode({ ...CLAIMS, exp })}.AAAA`

describe('findIssuerFault', () => {
  it('finds a receipt that is valid for longer than any receipt, or ends before it begins', () => {
    expect(findIssuerFault(receiptOf(1_000 + RECEIPT_SECONDS_MAX), null)).to.equal(null)
    expect(findIssuerFault(receiptOf(1_001 + RECEIPT_SECONDS_MAX), null)).to.equal(
      'the receipt is valid for 86401 seconds, and no receipt is for more than 86400',
    )
    expect(findIssuerFault(receiptOf(999), null)).to.match(/^the receipt is valid for -1 seconds/)
  })

  it('finds a receipt that the key of the issuer did not sign, and says nothing of a key that is not published', () => {
    const issuer = { url: CLAIMS.iss, keys: [{ kid: 'key' }], source: 'keys.json' }
    expect(findIssuerFault(receiptOf(2_000), issuer)).to.equal(
      'the receipt is not signed by the key that it names of keys.json',
    )
    expect(findIssuerFault(receiptOf(2_000), { ...issuer, keys: [{ kid: 'newer' }] })).to.equal(null)
    expect(findIssuerFault(receiptOf(2_000), { ...issuer, url: 'https://other.example' })).to.equal(
      'the receipt is of https://registry.example, not of https://other.example',
    )
    expect(findIssuerFault('nonsense', issuer)).to.equal('the receipt is malformed')
  })
})
