import { z } from 'zod'
import { CREDENTIAL_TYPES, STORABLE_CREDENTIAL_TYPES } from '../credentials/deriveCredentialLookupKey.ts'
import { success } from './envelope.ts'

/** A stored third-party credential as its owner sees it; the credential itself is not stored. */
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

export const postAgentCredentialsBody = z.object({
  type: z.enum(STORABLE_CREDENTIAL_TYPES),
  value: z.string().min(1).max(32_768),
  challenge: z.string().min(1).max(100),
  proof: z
    .string()
    .min(1)
    .max(8_192)
    .optional()
    .describe('The holder’s response to the challenge; an SD-JWT contains its own'),
})

/** Request and response schemas of the operations, by method and path. */
export const credentialOperations = {
  'GET /api/agents/:id/credentials': { answer: success({ items: z.array(credentialSchema) }) },
  'POST /api/agents/:id/credentials/challenge': {
    answer: success({
      challenge: z.string().describe('The `nonce` of the proof token'),
      audience: z.string().describe('The `aud` of the proof token'),
      message: z.string().describe('The text that the holder of an Ethereum address signs instead (EIP-191)'),
      expiresAt: z.string(),
    }),
  },
  'POST /api/agents/:id/credentials': {
    body: postAgentCredentialsBody,
    answer: success({ credential: credentialSchema }),
  },
  'DELETE /api/agents/:id/credentials/:credentialId': { answer: success({ id: z.string() }) },
} as const
