import type { Route } from '../middleware/serve.ts'
import { getActivity } from './getActivity.ts'
import { getDocs } from './getDocs.ts'
import { getHealth } from './getHealth.ts'
import { getOpenApi } from './getOpenApi.ts'
import { getStepUpApprovalPoll } from './getStepUpApprovalPoll.ts'
import { headVerifyAccess } from './headVerifyAccess.ts'
import type { TableRow } from './operation.ts'
import { postVerifyAccess } from './postVerifyAccess.ts'
import { postVerifyAccessDecision } from './postVerifyAccessDecision.ts'
import type { Services } from './services.ts'

/** THE TABLE: method · path · who may call · rate budget · operation. */
export const TABLE: readonly TableRow[] = [
  ['POST', '/api/agents/verify-access', 'apiKey', 'verify', postVerifyAccess],
  ['HEAD', '/api/agents/verify-access', 'anyone', 'public', headVerifyAccess],
  ['POST', '/api/agents/verify-access/:sessionId/decision', 'apiKey', 'verify', postVerifyAccessDecision],
  ['GET', '/api/step-up-approvals/poll/:approvalId', 'apiKey', 'api', getStepUpApprovalPoll],

  ['GET', '/api/activity', 'sessionOrApiKey', 'api', getActivity],

  ['GET', '/api/health', 'anyone', 'public', getHealth],
  ['GET', '/api/openapi.json', 'anyone', 'public', getOpenApi],
  ['GET', '/docs', 'anyone', 'public', getDocs],
]

/** The table with its handlers bound to the services. */
export function routes(services: Services): readonly Route[] {
  return TABLE.map(([method, path, access, budget, operation]) => ({
    method,
    path,
    access,
    budget,
    handler: operation.handle(services),
  }))
}
