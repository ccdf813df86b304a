import type { Approval } from '@svc/core/contract/approvals.ts'
import { summariseApproval } from './summariseApproval.ts'

/** Returns the two texts by which a row shows an approval. */
export type DescribeApproval = (approval: Approval) => { title: string; about: string }

/** How much of the end of an identifier tells approvals of one list apart. */
const ENDING_LENGTH = 6

/**
 * Creates the function that describes each approval of a list, so that no two rows read the same: those that would are
 * followed by the time of the request and the end of the identifier, which the page of the approval shows in full.
 */
export function describeApprovals(approvals: readonly Approval[]): DescribeApproval {
  const counts = new Map<string, number>()
  for (const text of approvals.map(textOf)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return (approval) => {
    const { title, about } = describe(approval)
    if ((counts.get(textOf(approval)) ?? 0) < 2) return { title, about }
    const time = new Date(approval.createdAt).toLocaleTimeString()
    const own = `requested at ${time} · …${approval.approvalId.slice(-ENDING_LENGTH)}`
    return { title, about: [about, own].filter(Boolean).join(' · ') }
  }
}

function describe(approval: Approval): ReturnType<DescribeApproval> {
  const { agent, counterparty, purpose, amount } = summariseApproval(approval)
  const about = [amount, purpose, approval.request.resource].filter(Boolean).join(' · ')
  return { title: `${agent} → ${counterparty}`, about }
}

function textOf(approval: Approval): string {
  return JSON.stringify(Object.values(describe(approval)))
}
