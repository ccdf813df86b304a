import { agentPdlssSchema } from '@svc/core/pdlss/pdlss.ts'
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
import {
  type DenyRegistrationRequestDeps,
  denyRegistrationRequest,
} from '../../services/registrationRequests/denyRegistrationRequest.ts'
import {
  type ListRegistrationRequestsDeps,
  listRegistrationRequests,
} from '../../services/registrationRequests/listRegistrationRequests.ts'
import {
  type ReadRegistrationRequestDeps,
  readRegistrationRequest,
} from '../../services/registrationRequests/readRegistrationRequest.ts'
import { accountSchemas } from '../accounts/accountSchemas.ts'
import { passkeySchemas } from '../accounts/passkeys.ts'
import { agentSchemas } from '../agents/agentSchemas.ts'
import { callerOf } from '../border/callerOf.ts'
import { PAGE_QUERY, pageAnswer, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

const status = z.enum(['pending', 'approved', 'denied', 'expired'])

/** What the operations with registration requests take and answer. Source: `Spec: Registration request`; api.md "Agents". */
export const registrationRequestSchemas = {
  status,
  /** Of an outreach, or of a denial. Bounds: api.md "Envelope". */
  reason: z.string().max(1_000),
  request: z.object({
    requestId: z.string(),
    kind: z.enum(['api_key', 'outreach']),
    status,
    ownerId: z.string().nullable(),
    /** Every field of the agent that is asked for. */
    registration: z.looseObject({
      name: z.string(),
      description: z.string().nullable(),
      agentType: z.string().nullable(),
      apiEndpoint: z.string().nullable(),
      image: z.string().nullable(),
      model: agentSchemas.model.nullable(),
      framework: agentSchemas.framework.nullable(),
      protocols: z.array(z.string()),
      declarations: z.looseObject({}),
      pdlss: agentPdlssSchema,
      signerAddress: z.string().nullish(),
    }),
    reason: z.string().nullable(),
    apiKeyId: z.string().nullable(),
    requestedAt: z.string(),
    lastEventAt: z.string(),
    expiresAt: z.string(),
    secondsLeft: z.number(),
    denialReason: z.string().nullable(),
    agentId: z.string().nullable(),
    svcId: z.string().nullable(),
  }),
} as const

const querySchema = z.object({ status: registrationRequestSchemas.status.optional() })

/** Source: api.md "Agents". */
export const getRegistrationRequests = operation({
  summary: 'Lists the registrations that were asked of the caller’s account, newest first.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: pageAnswer(registrationRequestSchemas.request),
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

/** Source: api.md "Agents", "Approvals, activity, audit". */
export const getRegistrationRequest = operation({
  summary: 'Shows a registration request to its owner, with the options of the assertion that approves it.',
  answer: z.object({
    success: z.literal(true),
    request: registrationRequestSchemas.request.extend({
      assertionOptions: passkeySchemas.options.nullable(),
    }),
  }),
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

const postRegistrationRequestClaimBody = z.object({ token: accountSchemas.mailedToken })

/** Source: `Spec: POST /api/agents/request-registration` (onboarding link). */
export const postRegistrationRequestClaim = operation({
  summary: 'Proves by the mailed token that the caller is whom a registration was asked of.',
  body: postRegistrationRequestClaimBody,
  answer: z.object({ success: z.literal(true), request: registrationRequestSchemas.request }),
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

const postRegistrationRequestApproveBody = z.object({ response: passkeySchemas.assertion })

/** Source: `Spec: States and transitions`; `Spec: Authentication` 7, 8; api.md "Agents". */
export const postRegistrationRequestApprove = operation({
  summary:
    'Registers the agent that was asked for, by a passkey assertion over the options the request came with.',
  body: postRegistrationRequestApproveBody,
  answer: z.object({ success: z.literal(true), request: registrationRequestSchemas.request }),
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
    const { response } = parseInput(postRegistrationRequestApproveBody, call.body)
    const requestId = call.params.requestId ?? ''
    const { now } = call
    const request = await approveRegistrationRequest(parts.registrations, {
      principal,
      requestId,
      response,
      now,
    })
    return { body: { success: true, request } }
  },
})

const postRegistrationRequestDenyBody = z
  .object({ reason: registrationRequestSchemas.reason.nullish() })
  .optional()

/** Source: api.md "Agents". */
export const postRegistrationRequestDeny = operation({
  summary: 'Denies a registration that waits; whoever asked for it is shown the reason.',
  body: postRegistrationRequestDenyBody,
  answer: z.object({ success: z.literal(true), request: registrationRequestSchemas.request }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { registrations: DenyRegistrationRequestDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const reason = parseInput(postRegistrationRequestDenyBody, call.body)?.reason ?? null
    const requestId = call.params.requestId ?? ''
    const request = await denyRegistrationRequest(parts.registrations, { principal, requestId, reason })
    return { body: { success: true, request } }
  },
})
