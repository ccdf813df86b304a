import { z } from 'zod'
import { approvalRulesSchema } from '../access/approvalRulesSchema.ts'
import { agentPdlssSchema } from '../pdlss/pdlss.ts'
import { accountSchemas } from './accounts.ts'
import { storedKeySchema } from './agentKeys.ts'
import { postAgentsRegisterBody } from './agentRegistration.ts'
import { agentSchemas } from './agents.ts'
import { pageAnswer, success } from './envelope.ts'
import { passkeySchemas } from './passkeys.ts'

const registrationRequestStatus = z.enum(['pending', 'approved', 'denied', 'expired'])

/** Schemas that the registration request operations share. Source: `Spec: Registration request`. */
export const registrationRequestSchemas = {
  status: registrationRequestStatus,
  /** The reason for an outreach or for a denial. */
  reason: z.string().max(1_000),
  request: z.object({
    requestId: z.string(),
    kind: z.enum(['api_key', 'outreach', 'account']),
    status: registrationRequestStatus,
    ownerId: z.string().nullable(),
    /** Every field of the requested agent. */
    registration: z.object({
      name: z.string(),
      description: z.string().nullable(),
      agentType: z.string().nullable(),
      apiEndpoint: z.string().nullable(),
      image: z.string().nullable(),
      model: agentSchemas.model.nullable(),
      framework: agentSchemas.framework.nullable(),
      protocols: z.array(z.string()),
      declarations: agentSchemas.declarations,
      pdlss: agentPdlssSchema,
      approvalRules: approvalRulesSchema.optional(),
      signerAddress: z.string().nullish(),
      /** What the agent will sign with, by thumbprint. */
      keys: z.array(storedKeySchema.pick({ kid: true, kty: true, crv: true })),
    }),
    reason: z.string().nullable(),
    apiKeyId: z.string().nullable(),
    requestedAt: z.string(),
    lastEventAt: z.string(),
    expiresAt: z.string(),
    /** Whole seconds until the request can no longer be decided; 0 afterwards. */
    secondsLeft: z.number(),
    denialReason: z.string().nullable(),
    agentId: z.string().nullable(),
    svcId: z.string().nullable(),
  }),
} as const

/** A registration request, as the owner sees it. */
export type RegistrationRequest = z.output<typeof registrationRequestSchemas.request>

export const postRequestRegistrationBody = z.object({
  agentName: agentSchemas.name,
  ownerEmail: accountSchemas.email,
  agentDescription: agentSchemas.description.nullish(),
  reason: registrationRequestSchemas.reason.nullish(),
})

/** What anyone who knows the identifier may see. */
const polled = registrationRequestSchemas.request.pick({
  requestId: true,
  status: true,
  agentId: true,
  svcId: true,
  requestedAt: true,
  lastEventAt: true,
  expiresAt: true,
  denialReason: true,
})

/** What the owner wants to be asked; the default rules if absent. */
const ownRules = { approvalRules: approvalRulesSchema.optional() }

export const postRegistrationRequestRules = z.object(ownRules)

/** A consent to the registration on chain takes a wallet, which this way does without. */
const postRegistrationRequestsBody = postAgentsRegisterBody
  .omit({ onChain: true, keyProofs: true })
  .extend(ownRules)

/** A request with the options for the passkey that approves it; null if the caller cannot, or no longer. */
const approvable = registrationRequestSchemas.request.extend({
  assertionOptions: passkeySchemas.requestOptions.nullable(),
})

export const postRegistrationRequestClaimBody = z.object({ token: accountSchemas.mailedToken })

/** An outreach names little more than the agent, so its owner adds the rest with the approval. */
const ownerFields = z.object({
  description: agentSchemas.description.optional(),
  pdlss: agentPdlssSchema.optional(),
})

export const postRegistrationRequestOptionsBody = ownerFields

export const postRegistrationRequestApproveBody = ownerFields.extend({ response: passkeySchemas.assertion })

export const postRegistrationRequestDenyBody = z
  .object({ reason: registrationRequestSchemas.reason.nullish() })
  .optional()

/** Request and response schemas of the operations, by method and path. */
export const registrationRequestOperations = {
  'POST /api/agents/request-registration': {
    body: postRequestRegistrationBody,
    answer: success({
      requestId: z.string(),
      message: z.string(),
      pollUrl: z.string(),
    }),
  },
  'GET /api/agents/request-registration/:requestId': { answer: polled.extend({ success: z.literal(true) }) },
  'GET /api/registration-requests': { answer: pageAnswer(registrationRequestSchemas.request) },
  'POST /api/registration-requests': {
    body: postRegistrationRequestsBody,
    answer: success({ request: approvable }),
  },
  'GET /api/registration-requests/:requestId': { answer: success({ request: approvable }) },
  'POST /api/registration-requests/:requestId/claim': {
    body: postRegistrationRequestClaimBody,
    answer: success({ request: registrationRequestSchemas.request }),
  },
  'POST /api/registration-requests/:requestId/options': {
    body: postRegistrationRequestOptionsBody,
    answer: success({ assertionOptions: passkeySchemas.requestOptions.nullable() }),
  },
  'POST /api/registration-requests/:requestId/approve': {
    body: postRegistrationRequestApproveBody,
    answer: success({ request: registrationRequestSchemas.request }),
  },
  'POST /api/registration-requests/:requestId/deny': {
    body: postRegistrationRequestDenyBody,
    answer: success({ request: registrationRequestSchemas.request }),
  },
} as const
