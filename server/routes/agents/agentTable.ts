import type { TableRow } from '../operation.ts'
import { postAgentAdopt, postAgentAdoptStatement } from './adoption.ts'
import {
  getAgent,
  getAgentStatistics,
  getAgents,
  getAgentTrustHistory,
  patchAgent,
  postAgentToken,
} from './agents.ts'
import { deleteAgentApprovalRule, getAgentApprovalRules, putAgentApprovalRules } from './approvalRules.ts'
import {
  deleteAgentCredential,
  getAgentCredentials,
  postAgentCredentials,
  postAgentCredentialsChallenge,
} from './credentials.ts'
import { getDirectory } from './directory.ts'
import { deleteAgentKey, deleteSigningAccount, getAgentKeySet, getAgentKeys, postAgentKeys } from './keys.ts'
import { getAgentCard, getAgentRegistrations, getChainOwner, getRegistrationFile } from './publicFiles.ts'
import { postAgentsRegister } from './registration.ts'
import { getAgentSettings, putAgentSettings } from './settings.ts'
import { postAgentHandOver, postAgentResume, postAgentRetire, postAgentSuspend } from './status.ts'

/** The operations for agents. */
export const AGENT_TABLE = [
  ['POST', '/api/agents/register', 'signatureOrApiKey', 'api', postAgentsRegister],
  ['POST', '/api/agents/adopt/statement', 'session', 'api', postAgentAdoptStatement],
  ['POST', '/api/agents/adopt', 'session', 'api', postAgentAdopt],
  ['GET', '/api/agents', 'session', 'api', getAgents],
  ['GET', '/api/directory', 'anyone', 'public', getDirectory],
  ['GET', '/api/agents/:id', 'optionalOrAgent', 'api', getAgent],
  ['PATCH', '/api/agents/:id', 'sessionOrApiKey', 'api', patchAgent],
  ['POST', '/api/agents/:id/token', 'signature', 'api', postAgentToken],
  ['POST', '/api/agents/:id/hand-over', 'session', 'api', postAgentHandOver],
  ['POST', '/api/agents/:id/suspend', 'session', 'api', postAgentSuspend],
  ['POST', '/api/agents/:id/resume', 'session', 'api', postAgentResume],
  ['POST', '/api/agents/:id/retire', 'session', 'api', postAgentRetire],
  ['GET', '/api/agents/:id/approval-rules', 'session', 'api', getAgentApprovalRules],
  ['PUT', '/api/agents/:id/approval-rules', 'elevatedSession', 'api', putAgentApprovalRules],
  ['DELETE', '/api/agents/:id/approval-rules/:ruleId', 'session', 'api', deleteAgentApprovalRule],
  ['GET', '/api/agents/:id/settings', 'session', 'api', getAgentSettings],
  ['PUT', '/api/agents/:id/settings', 'elevatedSession', 'api', putAgentSettings],
  ['GET', '/api/agents/:id/trust-history', 'sessionOrApiKey', 'api', getAgentTrustHistory],
  ['GET', '/api/agents/:id/statistics', 'sessionOrApiKey', 'api', getAgentStatistics],
  ['GET', '/api/agents/:id/credentials', 'sessionOrApiKey', 'api', getAgentCredentials],
  ['POST', '/api/agents/:id/credentials/challenge', 'sessionOrApiKey', 'api', postAgentCredentialsChallenge],
  ['POST', '/api/agents/:id/credentials', 'sessionOrApiKey', 'api', postAgentCredentials],
  ['DELETE', '/api/agents/:id/credentials/:credentialId', 'sessionOrApiKey', 'api', deleteAgentCredential],
  ['GET', '/api/agents/:id/keys', 'optional', 'api', getAgentKeys],
  ['POST', '/api/agents/:id/keys', 'elevatedSessionOrSignature', 'api', postAgentKeys],
  ['DELETE', '/api/agents/:id/keys/:kid', 'elevatedSessionOrSignature', 'api', deleteAgentKey],
  ['DELETE', '/api/agents/:id/accounts/:address', 'elevatedSessionOrSignature', 'api', deleteSigningAccount],
  ['GET', '/.well-known/agents/:svcId/jwks.json', 'anyone', 'public', getAgentKeySet],
  ['GET', '/api/agents/:id/card', 'optional', 'api', getAgentCard],
  ['GET', '/.well-known/agents/:svcId.json', 'anyone', 'public', getAgentCard],
  ['GET', '/.well-known/agent-registration.json', 'anyone', 'public', getAgentRegistrations],
  ['GET', '/registration-files/:svcId.json', 'anyone', 'public', getRegistrationFile],
  ['GET', '/api/chain/owners/:address', 'anyone', 'public', getChainOwner],
] as const satisfies readonly TableRow[]
