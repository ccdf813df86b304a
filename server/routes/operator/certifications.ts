import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ChangeCertificationDeps,
  changeCertification,
} from '../../services/agents/changeCertification.ts'
import { readCertifications } from '../../services/agents/readCertifications.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

/** What the operations of certifications take and answer. */
const certificationSchemas = {
  /** Compared letter by letter with what endpoints ask for, so that nothing in it may go unseen. */
  params: z.object({
    name: z
      .string()
      .max(200)
      .regex(
        /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u,
        'expected a name without signs that are not seen, with single spaces',
      ),
  }),
  held: z.object({ success: z.literal(true), svcId: z.string(), certifications: z.array(z.string()) }),
} as const

/** Source: docs/decisions/0044. */
export const getAgentCertifications = operation({
  summary: 'Lists the certifications that an agent holds.',
  answer: certificationSchemas.held,
  errors: ['NOT_FOUND'],
  handle: (parts: { agents: Parameters<typeof readCertifications>[0] }) => async (call) => {
    const held = await readCertifications(parts.agents, { id: call.params.id ?? '' })
    return { body: { success: true, ...held } }
  },
})

/** Source: docs/decisions/0044. */
export const putAgentCertification = operation({
  summary: 'Grants an agent a certification with a fresh passkey; the next decision goes by it.',
  answer: certificationSchemas.held,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: ChangeCertificationDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { name: certification } = parseInput(certificationSchemas.params, call.params)
    const input = { id: call.params.id ?? '', certification, principal, now: call.now }
    return { body: { success: true, ...(await changeCertification(parts.agents, 'grant', input)) } }
  },
})

/** Source: docs/decisions/0044. */
export const deleteAgentCertification = operation({
  summary: 'Withdraws a certification from an agent with a fresh passkey; the next decision goes by it.',
  answer: certificationSchemas.held,
  errors: ['NOT_FOUND'],
  handle: (parts: { agents: ChangeCertificationDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { id = '', name: certification = '' } = call.params
    const input = { id, certification, principal, now: call.now }
    return { body: { success: true, ...(await changeCertification(parts.agents, 'withdraw', input)) } }
  },
})
