import {
  postRequestRegistrationBody,
  registrationRequestOperations,
} from '@svc/core/contract/registrationRequests.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type PollRegistrationRequestDeps,
  pollRegistrationRequest,
} from '../../services/registrationRequests/readRegistrationRequest.ts'
import {
  type RequestRegistrationByEmailDeps,
  requestRegistrationByEmail,
} from '../../services/registrationRequests/requestRegistrationByEmail.ts'
import { operation } from '../operation.ts'

/** The same for every address, so it does not reveal which ones have an account. */
const MESSAGE = 'The owner is asked by e-mail. Poll the request for the outcome.'

/** Source: `Spec: POST /api/agents/request-registration`. */
export const postRequestRegistration = operation({
  summary:
    'Asks the owner of an e-mail address to register an agent; the response is the same for every address.',
  body: registrationRequestOperations['POST /api/agents/request-registration'].body,
  status: 202,
  answer: registrationRequestOperations['POST /api/agents/request-registration'].answer,
  errors: ['VALIDATION_ERROR'],
  repeatable: true,
  handle: (parts: { registrations: RequestRegistrationByEmailDeps }) => async (call) => {
    const {
      agentName,
      ownerEmail,
      agentDescription = null,
      reason = null,
    } = parseInput(postRequestRegistrationBody, call.body)
    const input = { agentName, ownerEmail, agentDescription, reason, now: call.now }
    const requestId = await call.once(() => requestRegistrationByEmail(parts.registrations, input))
    const pollUrl = `/api/agents/request-registration/${requestId}`
    return { status: 202, body: { success: true, requestId, message: MESSAGE, pollUrl } }
  },
})

/** How long a caller should wait between two polls; a person decides. */
const POLL_AFTER_SECONDS = 5

/** Source: `Spec: GET /api/agents/request-registration/{requestId}`. */
export const getRequestRegistration = operation({
  summary: 'Returns the state of a registration request to anyone who knows its identifier.',
  answer: registrationRequestOperations['GET /api/agents/request-registration/:requestId'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { registrations: PollRegistrationRequestDeps }) => async (call) => {
    const requestId = call.params.requestId ?? ''
    const request = await pollRegistrationRequest(parts.registrations, { requestId, now: call.now })
    const headers: Record<string, string> =
      request.status === 'pending' ? { 'Retry-After': String(POLL_AFTER_SECONDS) } : {}
    return { headers, body: { success: true, ...request } }
  },
})
