import { postAgentsRegisterBody } from '@svc/core/contract/agentRegistration.ts'
import {
  postRegistrationRequestApproveBody,
  postRegistrationRequestClaimBody,
  postRegistrationRequestDenyBody,
  postRegistrationRequestOptionsBody,
  postRegistrationRequestRules,
  registrationRequestOperations,
  registrationRequestSchemas,
} from '@svc/core/contract/registrationRequests.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ApproveRegistrationRequestDeps,
  approveRegistrationRequest,
} from '../../services/registrationRequests/approveRegistrationRequest.ts'
import {
  type ClaimRegistrationRequestDeps,
  claimRegistrationRequest,
} from '../../services/registrationRequests/claimRegistrationRequest.ts'
import { createApprovalOptions } from '../../services/registrationRequests/createApprovalOptions.ts'
import {
  type DenyRegistrationRequestDeps,
  denyRegistrationRequest,
} from '../../services/registrationRequests/denyRegistrationRequest.ts'
import {
  type ListRegistrationRequestsDeps,
  listRegistrationRequests,
  type ReadRegistrationRequestDeps,
  readRegistrationRequest,
} from '../../services/registrationRequests/readRegistrationRequest.ts'
import { refuseMisplaced } from '../../services/registrationRequests/refuseMisplaced.ts'
import {
  type RequestRegistrationByAccountDeps,
  requestRegistrationByAccount,
} from '../../services/registrationRequests/requestRegistrationByAccount.ts'
import { readAgentRegistration } from '../agents/readAgentRegistration.ts'
import { callerOf } from '../border/callerOf.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

const keyProofsBody = postAgentsRegisterBody.pick({ keyProofs: true })

const querySchema = z.object({ status: registrationRequestSchemas.status.optional() })

export const getRegistrationRequests = operation({
  summary: 'Lists the registration requests to the caller’s account, newest first.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: registrationRequestOperations['GET /api/registration-requests'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { registrations: ListRegistrationRequestsDeps }) => async (call) => {
    const page = readPage(call.query)
    const { status } = parseInput(querySchema, Object.fromEntries(call.query))
    const principal = callerOf(call, 'session')
    const { now } = call
    return {
      body: writePage(await listRegistrationRequests(parts.registrations, { principal, status, page, now })),
    }
  },
})

type PrepareDeps = RequestRegistrationByAccountDeps & ReadRegistrationRequestDeps

/** Source: docs/decisions/0097. */
export const postRegistrationRequests = operation({
  summary:
    'Prepares the registration of an agent for the caller’s own account, and returns the WebAuthn options with which a passkey of the account approves it within 15 minutes.',
  body: registrationRequestOperations['POST /api/registration-requests'].body,
  status: 201,
  answer: registrationRequestOperations['POST /api/registration-requests'].answer,
  errors: ['VALIDATION_ERROR', 'SUB_AGENT_REFUSED', 'INVALID_STATE', 'KEY_TAKEN'],
  repeatable: true,
  handle: (parts: { registrations: PrepareDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { onChain, ...fields } = readAgentRegistration(call.body)
    refuseMisplaced({ onChain, ...parseInput(keyProofsBody, call.body) })
    const registration = { ...fields, ...parseInput(postRegistrationRequestRules, call.body) }
    const { now } = call
    const requestId = await call.once(() =>
      requestRegistrationByAccount(parts.registrations, { principal, registration, now }),
    )
    const request = await readRegistrationRequest(parts.registrations, { principal, requestId, now })
    return { status: 201, body: { success: true, request } }
  },
})

export const getRegistrationRequest = operation({
  summary: 'Returns a registration request to its owner, with the WebAuthn options for approving it.',
  answer: registrationRequestOperations['GET /api/registration-requests/:requestId'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { registrations: ReadRegistrationRequestDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const requestId = call.params.requestId ?? ''
    const request = await readRegistrationRequest(parts.registrations, {
      principal,
      requestId,
      now: call.now,
    })
    return { body: { success: true, request } }
  },
})

/** Source: `Spec: POST /api/agents/request-registration` (onboarding link). */
export const postRegistrationRequestClaim = operation({
  summary:
    'Assigns a registration request to the caller, who proves with the mailed token to be its addressee.',
  body: registrationRequestOperations['POST /api/registration-requests/:requestId/claim'].body,
  answer: registrationRequestOperations['POST /api/registration-requests/:requestId/claim'].answer,
  errors: ['VALIDATION_ERROR', 'INVALID_TOKEN', 'INVALID_STATE'],
  handle: (parts: { registrations: ClaimRegistrationRequestDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { token } = parseInput(postRegistrationRequestClaimBody, call.body)
    const requestId = call.params.requestId ?? ''
    const request = await claimRegistrationRequest(parts.registrations, {
      principal,
      requestId,
      token,
      now: call.now,
    })
    return { body: { success: true, request } }
  },
})

/** Source: WebAuthn 3 §13.4.3. */
export const postRegistrationRequestOptions = operation({
  summary:
    'Returns the WebAuthn options for approving a registration request with the description and boundary that its owner sets.',
  body: registrationRequestOperations['POST /api/registration-requests/:requestId/options'].body,
  answer: registrationRequestOperations['POST /api/registration-requests/:requestId/options'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { registrations: ReadRegistrationRequestDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const added = takeOwnerFields(parseInput(postRegistrationRequestOptionsBody, call.body))
    const requestId = call.params.requestId ?? ''
    const { now } = call
    const assertionOptions = await createApprovalOptions(parts.registrations, {
      principal,
      requestId,
      added,
      now,
    })
    return { body: { success: true, assertionOptions } }
  },
})

/** Source: `Spec: States and transitions`; `Spec: Authentication` 7, 8. */
export const postRegistrationRequestApprove = operation({
  summary:
    'Registers the requested agent, given a passkey assertion made with the request’s WebAuthn options. The owner of an outreach can set the agent’s description and boundary, if the options were made for them.',
  body: registrationRequestOperations['POST /api/registration-requests/:requestId/approve'].body,
  answer: registrationRequestOperations['POST /api/registration-requests/:requestId/approve'].answer,
  errors: [
    'VALIDATION_ERROR',
    'FORBIDDEN',
    'PASSKEY_REJECTED',
    'SUB_AGENT_REFUSED',
    'NOT_FOUND',
    'INVALID_STATE',
  ],
  handle: (parts: { registrations: ApproveRegistrationRequestDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { response, ...fields } = parseInput(postRegistrationRequestApproveBody, call.body)
    const added = takeOwnerFields(fields)
    const requestId = call.params.requestId ?? ''
    const { ip, now } = call
    const request = await approveRegistrationRequest(parts.registrations, {
      principal,
      requestId,
      response,
      added,
      ip,
      now,
    })
    return { body: { success: true, request } }
  },
})

/** The fields that are set, without the others. */
function takeOwnerFields({ description, pdlss }: z.output<typeof postRegistrationRequestOptionsBody>) {
  return { ...(description === undefined ? {} : { description }), ...(pdlss ? { pdlss } : {}) }
}

export const postRegistrationRequestDeny = operation({
  summary: 'Denies a pending registration request; the requester sees the reason.',
  body: registrationRequestOperations['POST /api/registration-requests/:requestId/deny'].body,
  answer: registrationRequestOperations['POST /api/registration-requests/:requestId/deny'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { registrations: DenyRegistrationRequestDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const reason = parseInput(postRegistrationRequestDenyBody, call.body)?.reason ?? null
    const requestId = call.params.requestId ?? ''
    const request = await denyRegistrationRequest(parts.registrations, { principal, requestId, reason })
    return { body: { success: true, request } }
  },
})
