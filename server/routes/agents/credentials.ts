import { credentialOperations, postAgentCredentialsBody } from '@svc/core/contract/credentials.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { addCredential } from '../../services/credentials/addCredential.ts'
import type { CredentialDeps } from '../../services/credentials/credentialDeps.ts'
import { listCredentials } from '../../services/credentials/listCredentials.ts'
import { openCredentialChallenge } from '../../services/credentials/openCredentialChallenge.ts'
import { removeCredential } from '../../services/credentials/removeCredential.ts'
import { operation } from '../operation.ts'

export const getAgentCredentials = operation({
  summary: 'Lists the third-party credentials of one of the caller’s agents.',
  answer: credentialOperations['GET /api/agents/:id/credentials'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { credentials: Parameters<typeof listCredentials>[0] }) => async (call) => {
    const { principal, now } = call
    const items = await listCredentials(parts.credentials, { id: call.params.id ?? '', principal, now })
    return { body: { success: true, items } }
  },
})

/** Source: docs/credentials.md. */
export const postAgentCredentialsChallenge = operation({
  summary:
    'Issues the challenge that the holder of a third-party credential signs to have it stored for an agent.',
  status: 201,
  answer: credentialOperations['POST /api/agents/:id/credentials/challenge'].answer,
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

/** Source: docs/credentials.md. */
export const postAgentCredentials = operation({
  summary: 'Stores a third-party credential for an agent, given proof that its holder signed the challenge.',
  body: credentialOperations['POST /api/agents/:id/credentials'].body,
  status: 201,
  answer: credentialOperations['POST /api/agents/:id/credentials'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'CREDENTIAL_TAKEN'],
  repeatable: true,
  waitsForHost: 'check',
  handle: (parts: { credentials: CredentialDeps }) => async (call) => {
    const offered = parseInput(postAgentCredentialsBody, call.body)
    const { principal, now } = call
    const credential = await call.once(() =>
      addCredential(parts.credentials, {
        id: call.params.id ?? '',
        principal,
        offered,
        now,
        waitForHost: call.waitForHost,
      }),
    )
    return { status: 201, body: { success: true, credential } }
  },
})

export const deleteAgentCredential = operation({
  summary: 'Deletes a third-party credential of one of the caller’s agents.',
  answer: credentialOperations['DELETE /api/agents/:id/credentials/:credentialId'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { credentials: CredentialDeps }) => async (call) => {
    const { id = '', credentialId = '' } = call.params
    const { principal, now } = call
    await removeCredential(parts.credentials, { id, credentialId, principal, now })
    return { body: { success: true, id: credentialId } }
  },
})
