import { CREDENTIAL_TYPES } from '@svc/core/credentials/credentialLookupKey.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import type { Operation } from '../operation.ts'

/** A stored third-party credential as its owner sees it; the credential itself is not kept. */
const credentialSchema = z.object({
  id: z.string(),
  type: z.enum(CREDENTIAL_TYPES),
  subject: z.string(),
  issuer: z.string().nullable(),
  algorithm: z.string(),
  status: z.enum(['valid', 'expired']),
  validFrom: z.string().nullable(),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
})

/** Source: api.md "Agents". */
export const getAgentCredentials: Operation = {
  summary: 'Lists the third-party credentials of an own agent.',
  answer: z.object({ success: z.literal(true), items: z.array(credentialSchema) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { principal, now } = call
    const items = await services.credentials.list({ id: call.params.id ?? '', principal, now })
    return { body: { success: true, items } }
  },
}

/** Source: verification.md "Third-party credentials". */
export const postAgentCredentialsChallenge: Operation = {
  summary: 'Hands out what the holder of a third-party credential signs before it is stored for an agent.',
  status: 201,
  answer: z.object({
    success: z.literal(true),
    challenge: z.string().describe('`nonce` of the token that is the proof'),
    audience: z.string().describe('`aud` of the token that is the proof'),
    message: z.string().describe('What the holder of an Ethereum address signs instead (EIP-191)'),
    expiresAt: z.string(),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { principal, now } = call
    const challenge = await services.credentials.challenge({ id: call.params.id ?? '', principal, now })
    return { status: 201, body: { success: true, ...challenge } }
  },
}

const body = z.object({
  type: z.enum(CREDENTIAL_TYPES),
  value: z.string().min(1).max(32_768),
  challenge: z.string().min(1).max(100),
  proof: z
    .string()
    .min(1)
    .max(8_192)
    .optional()
    .describe('The holder’s answer to the challenge; an SD-JWT carries it in itself'),
})

/** Source: api.md "Agents"; verification.md "Third-party credentials". */
export const postAgentCredentials: Operation = {
  summary: 'Stores a third-party credential whose holder has signed the challenge for this agent.',
  body,
  status: 201,
  answer: z.object({ success: z.literal(true), credential: credentialSchema }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'CREDENTIAL_TAKEN'],
  repeatable: true,
  handle: (services) => async (call) => {
    const offered = parseInput(body, call.body)
    const { principal, now } = call
    const credential = await services.credentials.add({ id: call.params.id ?? '', principal, offered, now })
    return { status: 201, body: { success: true, credential } }
  },
}

/** Source: api.md "Agents". */
export const deleteAgentCredential: Operation = {
  summary: 'Takes a third-party credential away from an own agent.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const { id = '', credentialId = '' } = call.params
    const { principal, now } = call
    await services.credentials.remove({ id, credentialId, principal, now })
    return { body: { success: true, id: credentialId } }
  },
}
