import { createGrants, type Grant } from '@svc/client/reuse/createGrants.ts'
import type { VerifyingKey } from '@svc/client/signatures/importVerifyingKey.ts'
import type { VerificationAnswer } from '@svc/core/contract/verification.ts'
import { GRANT_USES_MAX } from '@svc/core/receipt/receipt.ts'
import { expect } from 'chai'
import { RECEIPT_CLAIMS } from '../../builders/receiptClaims.ts'

describe('the uses of a grant at hand', () => {
  const grants = createGrants()
  const grant: Grant = {
    ...{ answer: {} as VerificationAnswer, claims: RECEIPT_CLAIMS, key: {} as VerifyingKey },
    ...{ until: 1, spent: '0', uses: GRANT_USES_MAX - 1, isDropped: false },
  }

  it('are at most as many as the service records, without those that were given back', () => {
    expect(grants.spend(grant, 0)).to.equal(true)
    expect(grants.spend(grant, 0)).to.equal(false)
    grants.giveBack(grant, 0)
    expect(grants.spend(grant, 0)).to.equal(true)
    expect(grants.spend(grant, 0)).to.equal(false)
  })

  it('are not used up by a request beyond the granted value', () => {
    grants.giveBack(grant, 0)
    expect(grants.spend(grant, 1e9)).to.equal(false)
    expect(grants.spend(grant, 0)).to.equal(true)
  })
})
