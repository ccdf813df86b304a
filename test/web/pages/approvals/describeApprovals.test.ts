import type { Approval } from '@svc/core/contract/approvals.ts'
import { expect } from 'chai'
import { describeApprovals } from '../../../../web/src/pages/approvals/describeApprovals.ts'

function buildApproval(approvalId: string, transactionValue: number): Approval {
  return {
    ...{
      approvalId,
      status: 'pending',
      agentId: 'SVC-1',
      agentName: 'Buyer',
      dimensions: [],
      attemptId: 'a',
    },
    request: {
      ...{
        agentId: 'SVC-1',
        endpointId: 'SVCE-1',
        endpointName: 'Shop',
        category: 'shopping',
        action: 'buy',
      },
      ...{ transactionValue, currency: 'EUR' },
    },
    ...{ needsFreshAssertion: false, createdAt: '2026-03-02T09:00:00.000Z', secondsLeft: 60 },
    ...{ expiresAt: '2026-03-02T09:30:00.000Z', decidedAt: null, consumedAt: null },
  }
}

describe('describeApprovals', () => {
  it('says when requests that are alike were made, and how their identifiers end', () => {
    const [first, second, other] = [
      buildApproval('019a-aaaaaa', 120),
      buildApproval('019a-bbbbbb', 120),
      buildApproval('019a-cccccc', 130),
    ]
    const describe = describeApprovals([first, second, other])
    expect(describe(first).about).to.match(/^€120\.00 · shopping: buy · requested at .+ · …aaaaaa$/)
    expect(describe(second).about).to.match(/ · …bbbbbb$/)
    expect(describe(other)).to.deep.equal({ title: 'Buyer → Shop', about: '€130.00 · shopping: buy' })
  })
})
