import type { TableRow } from '../operation.ts'
import { deletePushSubscription, getPushSubscriptions, postPushSubscription } from './pushSubscriptions.ts'
import {
  getStepUpApproval,
  getStepUpApprovalPoll,
  getStepUpApprovals,
  postStepUpApprovalApprove,
  postStepUpApprovalDeny,
  postStepUpApprovalOptions,
} from './stepUpApprovals.ts'

/** The operations for approving requests. */
export const APPROVAL_TABLE = [
  ['GET', '/api/step-up-approvals/poll/:approvalId', 'apiKey', 'api', getStepUpApprovalPoll],
  ['GET', '/api/step-up-approvals', 'session', 'api', getStepUpApprovals],
  ['GET', '/api/step-up-approvals/:approvalId', 'session', 'api', getStepUpApproval],
  ['POST', '/api/step-up-approvals/:approvalId/options', 'session', 'api', postStepUpApprovalOptions],
  ['POST', '/api/step-up-approvals/:approvalId/approve', 'session', 'api', postStepUpApprovalApprove],
  ['POST', '/api/step-up-approvals/:approvalId/deny', 'session', 'api', postStepUpApprovalDeny],
  ['GET', '/api/push-subscriptions', 'session', 'api', getPushSubscriptions],
  ['POST', '/api/push-subscriptions', 'session', 'api', postPushSubscription],
  ['DELETE', '/api/push-subscriptions/:id', 'session', 'api', deletePushSubscription],
] as const satisfies readonly TableRow[]
