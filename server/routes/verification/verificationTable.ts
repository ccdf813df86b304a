import type { TableRow } from '../operation.ts'
import { getAuthzenConfiguration, postAccessEvaluation, postAccessEvaluations } from './authzen.ts'
import { getSampleCounterparty } from './sampleCounterparty.ts'
import { getStatusList, postSessionEnd, postUses } from './sessions.ts'
import { headVerifyAccess, postVerifyAccess, postVerifyAccessDecision } from './verifyAccess.ts'

/** The operations for asking for decisions. */
export const VERIFICATION_TABLE = [
  ['POST', '/api/agents/verify-access', 'apiKey', 'verify', postVerifyAccess],
  ['HEAD', '/api/agents/verify-access', 'anyone', 'public', headVerifyAccess],
  ['POST', '/api/agents/verify-access/:sessionId/decision', 'apiKey', 'verify', postVerifyAccessDecision],
  ['POST', '/api/agents/verify-access/uses', 'apiKey', 'verify', postUses],
  ['POST', '/api/agents/verify-access/:sessionId/end', 'apiKey', 'verify', postSessionEnd],
  ['GET', '/.well-known/status/:list', 'anyone', 'none', getStatusList],
  ['POST', '/access/v1/evaluation', 'apiKey', 'verify', postAccessEvaluation],
  ['POST', '/access/v1/evaluations', 'apiKey', 'verify', postAccessEvaluations],
  ['GET', '/api/sample-counterparty', 'anyone', 'public', getSampleCounterparty],
  ['GET', '/.well-known/authzen-configuration', 'anyone', 'public', getAuthzenConfiguration],
] as const satisfies readonly TableRow[]
