import { certificationOperations, certificationSchemas } from '@svc/core/contract/certifications.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ChangeCertificationDeps,
  changeCertification,
} from '../../services/agents/changeCertification.ts'
import { readCertifications } from '../../services/agents/readCertifications.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

/** A grant has no options: a member would ask for something that is not done. */
const NO_MEMBERS = z.strictObject({})

/** Source: docs/decisions/0044. */
export const getAgentCertifications = operation({
  summary: 'Lists the certifications that an agent holds.',
  answer: certificationOperations['GET /api/admin/agents/:id/certifications'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { agents: Parameters<typeof readCertifications>[0] }) => async (call) => {
    const held = await readCertifications(parts.agents, { id: call.params.id ?? '' })
    return { body: { success: true, ...held } }
  },
})

/** Source: docs/decisions/0044. */
export const putAgentCertification = operation({
  summary: 'Grants an agent a certification, effective from the next decision.',
  answer: certificationOperations['PUT /api/admin/agents/:id/certifications/:name'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: ChangeCertificationDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { name: certification } = parseInput(certificationSchemas.params, call.params)
    parseInput(NO_MEMBERS, call.body)
    const input = { id: call.params.id ?? '', certification, principal, now: call.now }
    return { body: { success: true, ...(await changeCertification(parts.agents, 'grant', input)) } }
  },
})

/** Source: docs/decisions/0044. */
export const deleteAgentCertification = operation({
  summary: 'Withdraws a certification from an agent, effective from the next decision.',
  answer: certificationOperations['DELETE /api/admin/agents/:id/certifications/:name'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { agents: ChangeCertificationDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { id = '', name: certification = '' } = call.params
    const input = { id, certification, principal, now: call.now }
    return { body: { success: true, ...(await changeCertification(parts.agents, 'withdraw', input)) } }
  },
})
