import { agentRegistrationOperations, postAgentsRegisterBody } from '@svc/core/contract/agentRegistration.ts'
import { z } from 'zod'
import { apiError } from '../../errors.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type RegisterAgentDeps, registerAgent } from '../../services/agents/registration/registerAgent.ts'
import {
  type RequestRegistrationByKeyDeps,
  requestRegistrationByKey,
  requireVerifiedDeveloper,
} from '../../services/registrationRequests/requestRegistrationByKey.ts'
import { operation } from '../operation.ts'
import { readAgentRegistration } from './readAgentRegistration.ts'

const keyProofsBody = postAgentsRegisterBody.pick({ keyProofs: true })

/** Source: `Spec: POST /api/agents/register`. */
export const postAgentsRegister = operation({
  summary:
    'Registers an agent: immediately if its owner signed the request, or once the owner approves a request made with an API key.',
  body: agentRegistrationOperations['POST /api/agents/register'].body,
  status: 201,
  answer: agentRegistrationOperations['POST /api/agents/register'].answer,
  otherStatuses: {
    202: {
      when: 'The request came with an API key, and the owner has been asked to approve it',
      answer: z.object({
        success: z.literal(true),
        status: z.literal('pending_approval'),
        requestId: z.string(),
        pollUrl: z.string(),
      }),
    },
  },
  errors: [
    'VALIDATION_ERROR',
    'invalid_signature',
    'signature_expired',
    'nonce_reused',
    'KYD_REQUIRED',
    'SUB_AGENT_REFUSED',
    'INVALID_STATE',
    'KEY_TAKEN',
    'CHAIN_UNAVAILABLE',
  ],
  repeatable: true,
  // The consent and the proofs contain an identifier derived from the nonce, and a retry needs a new nonce.
  repeatableApartFrom: ['onChain', 'keyProofs'],
  handle:
    (parts: { registrations: RequestRegistrationByKeyDeps; agents: RegisterAgentDeps }) => async (call) => {
      const { principal, ip, now } = call
      if (principal.kind !== 'signature' && principal.kind !== 'apiKey') throw apiError('UNAUTHENTICATED')
      // Checked before the body, because no body would make this API key acceptable.
      if (principal.kind === 'apiKey') await requireVerifiedDeveloper(parts.registrations, principal)
      const registration = readAgentRegistration(call.body)
      const keyProofs = parseInput(keyProofsBody, call.body).keyProofs ?? []
      if (principal.kind === 'apiKey') {
        const requestId = await call.once(() =>
          requestRegistrationByKey(parts.registrations, {
            principal,
            registration,
            keyProofs,
            now,
          }),
        )
        const pollUrl = `/api/agents/request-registration/${requestId}`
        return {
          status: 202,
          body: { success: true, status: 'pending_approval' as const, requestId, pollUrl },
        }
      }
      const agent = await registerAgent(parts.agents, {
        principal,
        registration,
        keyProofs,
        ip,
        now,
        once: call.once,
      })
      return { status: 201, body: { success: true, data: { agent } } }
    },
})
