import type { TableRow } from '../operation.ts'
import {
  getRegistrationRequest,
  getRegistrationRequests,
  postRegistrationRequestApprove,
  postRegistrationRequestClaim,
  postRegistrationRequestDeny,
  postRegistrationRequestOptions,
  postRegistrationRequests,
} from './registrationRequests.ts'
import { getRequestRegistration, postRequestRegistration } from './requestRegistration.ts'

/** The operations for registering an agent on behalf of an owner. */
export const REGISTRATION_TABLE = [
  ['POST', '/api/agents/request-registration', 'anyone', 'outreach', postRequestRegistration],
  ['GET', '/api/agents/request-registration/:requestId', 'anyone', 'public', getRequestRegistration],
  ['GET', '/api/registration-requests', 'session', 'api', getRegistrationRequests],
  ['POST', '/api/registration-requests', 'session', 'api', postRegistrationRequests],
  ['GET', '/api/registration-requests/:requestId', 'session', 'api', getRegistrationRequest],
  ['POST', '/api/registration-requests/:requestId/claim', 'session', 'api', postRegistrationRequestClaim],
  ['POST', '/api/registration-requests/:requestId/options', 'session', 'api', postRegistrationRequestOptions],
  ['POST', '/api/registration-requests/:requestId/approve', 'session', 'api', postRegistrationRequestApprove],
  ['POST', '/api/registration-requests/:requestId/deny', 'session', 'api', postRegistrationRequestDeny],
] as const satisfies readonly TableRow[]
