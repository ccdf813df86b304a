import { readReceiptClaims } from '@svc/core/receipt/readReceiptClaims.ts'
import { expect } from 'chai'
import { RECEIPT_CLAIMS } from '../../builders/receiptClaims.ts'

describe('readReceiptClaims', () => {
  it('accepts every receipt that the service issues, with or without the optional claims', () => {
    expect(readReceiptClaims(RECEIPT_CLAIMS)).to.deep.equal(RECEIPT_CLAIMS)
    for (const member of [
      'purpose',
      'action',
      'resource',
      'value',
      'currency',
      'sessionId',
      'cnf',
      'status',
    ]) {
      const claims = { ...RECEIPT_CLAIMS, [member]: undefined }
      expect(readReceiptClaims(claims), member).to.deep.equal(claims)
    }
  })

  it('ignores claims that it does not know', () => {
    expect(readReceiptClaims({ ...RECEIPT_CLAIMS, more: 1 })).to.include({ jti: RECEIPT_CLAIMS.jti })
  })

  it('refuses a payload that lacks a claim or has one of another kind', () => {
    const faults: object[] = [
      ...['iss', 'sub', 'aud', 'jti', 'recommendation', 'accessLevel', 'identityProof', 'iat', 'exp'].map(
        (member) => ({
          [member]: undefined,
        }),
      ),
      { iss: '' },
      { aud: ['SVCE-1', 'SVCE-2'] },
      { recommendation: 'allow' },
      { accessLevel: 'root' },
      { identityProof: 'promise' },
      { iat: -1 },
      { exp: 1.5 },
      { exp: '1795222800' },
      { value: -1 },
      { value: '20' },
      { cnf: {} },
      { cnf: 'thumbprint' },
      { status: {} },
      { status: { status_list: { idx: -1, uri: 'https://a' } } },
      { status: { status_list: { idx: 0 } } },
    ]
    for (const fault of faults) {
      expect(readReceiptClaims({ ...RECEIPT_CLAIMS, ...fault }), JSON.stringify(fault)).to.equal(null)
    }
  })
})
