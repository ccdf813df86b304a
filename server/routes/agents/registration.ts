import { PROTOCOLS, type Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { prefillAgentUrl } from '@svc/core/commerce/prefillAgentUrl.ts'
import { prefillPdlss } from '@svc/core/commerce/prefillPdlss.ts'
import { agentRegistrationOperations, postAgentsRegisterBody } from '@svc/core/contract/agentRegistration.ts'
import { type Pdlss, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { z } from 'zod'
import { apiError, validationError } from '../../errors.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import type { AgentRegistration } from '../../services/agents/registration/agentRegistration.ts'
import { type RegisterAgentDeps, registerAgent } from '../../services/agents/registration/registerAgent.ts'
import {
  type RequestRegistrationByKeyDeps,
  requestRegistrationByKey,
} from '../../services/registrationRequests/requestRegistrationByKey.ts'
import { operation } from '../operation.ts'

/** Source: `Spec: POST /api/agents/register`; api.md "Agents". */
export const postAgentsRegister = operation({
  summary: 'Registers an agent by its owner’s signature, at once; by API key the owner is asked first (202).',
  body: agentRegistrationOperations['POST /api/agents/register'].body,
  status: 201,
  answer: agentRegistrationOperations['POST /api/agents/register'].answer,
  alsoAnswers: {
    202: {
      when: 'By API key: the owner is asked',
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
    'CHAIN_UNAVAILABLE',
  ],
  repeatable: true,
  // A consent is over an identifier that is made of the nonce, and a nonce is good once.
  repeatableApartFrom: ['onChain'],
  handle:
    (parts: { registrations: RequestRegistrationByKeyDeps; agents: RegisterAgentDeps }) => async (call) => {
      const { principal, now } = call
      if (principal.kind !== 'signature' && principal.kind !== 'apiKey') throw apiError('UNAUTHENTICATED')
      const registration = registrationOf(parseInput(postAgentsRegisterBody, withAgentUrl(call.body)))
      if (principal.kind === 'apiKey') {
        const requestId = await call.once(() =>
          requestRegistrationByKey(parts.registrations, {
            principal,
            registration,
            now,
          }),
        )
        const pollUrl = `/api/agents/request-registration/${requestId}`
        return {
          status: 202,
          body: { success: true, status: 'pending_approval' as const, requestId, pollUrl },
        }
      }
      const agent = await registerAgent(parts.agents, { principal, registration, now, once: call.once })
      return { status: 201, body: { success: true, data: { agent } } }
    },
})

/** What is no object, or has no A2A block, stays as it is and is judged by the schema. */
function withAgentUrl(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || !('a2a' in sent)) return sent
  return { ...sent, a2a: prefillAgentUrl(sent.a2a, 'apiEndpoint' in sent ? sent.apiEndpoint : undefined) }
}

/** A block declares its protocol, as clients from before `protocols` do. Source: `Spec: Versioning`, registration client. */
function registrationOf(parsed: z.output<typeof postAgentsRegisterBody>): AgentRegistration {
  const declared = PROTOCOLS.filter((protocol) => parsed[protocol])
  const { onChain: consent } = parsed
  const protocols = [...new Set([...(parsed.protocols ?? []), ...declared])]
  return {
    name: parsed.name,
    description: parsed.description ?? null,
    agentType: parsed.agentType ?? null,
    apiEndpoint: parsed.apiEndpoint ?? null,
    image: parsed.image ?? null,
    model: parsed.model ?? null,
    framework: parsed.framework ?? null,
    protocols,
    declarations: Object.fromEntries(declared.map((protocol) => [protocol, parsed[protocol] ?? {}])),
    pdlss: boundaryOf(parsed, protocols),
    parentAgentId: parsed.parentAgentId ?? null,
    onChain: consent ? { deadline: String(consent.deadline), signature: consent.signature } : null,
  }
}

/**
 * The boundary with what the declarations say of it. Lists that several fill may outgrow what a boundary holds, which is
 * refused rather than cut.
 */
function boundaryOf(parsed: z.output<typeof postAgentsRegisterBody>, protocols: readonly Protocol[]): Pdlss {
  const declared = protocols.flatMap((protocol) =>
    parsed[protocol] ? [[protocol, parsed[protocol]] as const] : [],
  )
  const boundary = parsePdlss(prefillPdlss(parsed.pdlss ?? {}, declared), 'agent')
  if (boundary.ok) return boundary.pdlss
  throw validationError(boundary.errors.map((error) => ({ ...error, pointer: `/pdlss${error.pointer}` })))
}
