import type { ApprovalDimension } from '@svc/core/access/findings.ts'

/** Why an owner is asked, by dimension. Source: `Spec: POST /api/agents/verify-access`, step-up dimensions. */
export const approvalReasons: Readonly<Record<ApprovalDimension, string>> = {
  'pdlss.purpose.approval_required': 'You want to be asked about this action.',
  'pdlss.duration.approval_required': 'It comes at a day or hour that you did not allow without you.',
  'pdlss.scope.approval_required': 'You want to be asked about this resource, jurisdiction or counterparty.',
  'pdlss.selfInstantiation.approval_required': 'The agent wants to create a sub-agent.',
  'commerce.intent.approval_required': 'The amount is more than the agent may spend by itself.',
}
