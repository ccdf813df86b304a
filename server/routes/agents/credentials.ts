import { CREDENTIAL_TYPES } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { addCredential } from '../../services/credentials/addCredential.ts'
import type { CredentialDeps } from '../../services/credentials/credentialDeps.ts'
import { listCredentials } from '../../services/credentials/listCredentials.ts'
import { openCredentialChallenge } from '../../services/credentials/openCredentialChallenge.ts'
import { removeCredential } from '../../services/credentials/removeCredential.ts'
import { operation } from '../operation.ts'

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
export const getAgentCredentials = operation({
  summary: 'Lists the third-party credentials of an own agent.',
  answer: z.object({ success: z.literal(true), items: z.array(credentialSchema) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { credentials: Parameters<typeof listCredentials>[0] }) => async (call) => {
    const { principal, now } = call
    const items = await listCredentials(parts.credentials, { id: call.params.id ?? '', principal, now })
    return { body: { success: true, items } }
  },
})

/** Source: verification.md "Third-party credentials". */
export const postAgentCredentialsChallenge = operation({
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
  handle: (parts: { credentials: CredentialDeps }) => async (call) => {
    const { principal, now } = call
    const challenge = await openCredentialChallenge(parts.credentials, {
      id: call.params.id ?? '',
      principal,
      now,
    })
    return { status: 201, body: { success: true, ...challenge } }
  },
})

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
export const postAgentCredentials = operation({
  summary: 'Stores a third-party credential whose holder has signed the challenge for this agent.',
  body,
  status: 201,
  answer: z.object({ success: z.literal(true), credential: credentialSchema }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'CREDENTIAL_TAKEN'],
  repeatable: true,
  handle: (parts: { credentials: CredentialDeps }) => async (call) => {
    const offered = parseInput(body, call.body)
    const { principal, now } = call
    const credential = await call.once(() =>
      addCredential(parts.credentials, {
        id: call.params.id ?? '',
        principal,
        offered,
        now,
      }),
    )
    return { status: 201, body: { success: true, credential } }
  },
})

/** Source: api.md "Agents". */
export const deleteAgentCredential = operation({
  summary: 'Takes a third-party credential away from an own agent.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { credentials: CredentialDeps }) => async (call) => {
    const { id = '', credentialId = '' } = call.params
    const { principal, now } = call
    await removeCredential(parts.credentials, { id, credentialId, principal, now })
    return { body: { success: true, id: credentialId } }
  },
})
