import { expect } from 'chai'
import { privateKeyToAccount } from 'viem/accounts'
import { createMandateVerifier } from '../../../../server/external/mandates/createMandateVerifier.ts'
import { signX402Payment } from '../../../builders/signX402Payment.ts'

describe('the verifier of payment mandates', () => {
  it('calls a mandate malformed on which a check fails with an error', async () => {
    const fail = () => Promise.reject(new TypeError('unreadable'))
    const verify = createMandateVerifier({
      recoverPayer: fail,
      verifyText: fail,
      verifyJws: fail,
      thumbprintOf: () => undefined,
    })
    const value = JSON.stringify(await signX402Payment(privateKeyToAccount(`0x${'11'.repeat(32)}`)))
    const finding = await verify({
      mandate: { protocol: 'x402', value, payee: undefined, isFromHeader: false },
      holder: { keys: [], accounts: [], provenAccounts: [], declarations: {} },
      request: { transactionValue: undefined, currency: undefined },
      ...{ metadata: undefined, endpoint: { host: undefined, authorities: [] }, now: 0 },
    })
    expect(finding).to.deep.equal({ found: 'wrong', fault: 'malformed' })
  })
})
