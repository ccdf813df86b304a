import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { accountSchemas } from './accountSchemas.ts'
import { agentSchemas } from './agentSchemas.ts'
import type { Operation } from './operation.ts'
import { registrationRequestSchemas } from './registrationRequestSchemas.ts'

const body = z.object({
  agentName: agentSchemas.name,
  ownerEmail: accountSchemas.email,
  agentDescription: agentSchemas.description.nullish(),
  reason: registrationRequestSchemas.reason.nullish(),
})

/** The same for every address. */
const MESSAGE = 'The owner is asked by e-mail. Poll the request to see what becomes of it.'

/** Source: `Spec: POST /api/agents/request-registration`; api.md "Agents". */
export const postRequestRegistration: Operation = {
  summary:
    'Asks the reader of an e-mail address to register an agent; the answer says nothing of the address.',
  body,
  status: 202,
  answer: z.object({
    success: z.literal(true),
    requestId: z.string(),
    message: z.string(),
    pollUrl: z.string(),
  }),
  errors: ['VALIDATION_ERROR'],
  repeatable: true,
  handle: (services) => async (call) => {
    const { agentName, ownerEmail, agentDescription = null, reason = null } = parseInput(body, call.body)
    const asked = { agentName, ownerEmail, agentDescription, reason, now: call.now }
    const requestId = await services.registrationRequests.askByEmail(asked)
    const pollUrl = `/api/agents/request-registration/${requestId}`
    return { status: 202, body: { success: true, requestId, message: MESSAGE, pollUrl } }
  },
}
