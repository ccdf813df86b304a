import { verificationOperations } from '@svc/core/contract/verification.ts'
import { validationError } from '../../errors.ts'
import {
  type VisitSampleCounterpartyDeps,
  visitSampleCounterparty,
} from '../../services/verification/visitSampleCounterparty.ts'
import { operation } from '../operation.ts'

/** Signed headers that the verification needs. */
const COVERED = ['x-svc-id', 'x-svc-purpose', 'signature-agent']

/** Source: docs/decisions/0098. */
export const getSampleCounterparty = operation({
  summary:
    'Decides on a request that an agent has signed, as any counterparty would, so that the agent can try out its key before it has anyone to call.',
  headers: {
    'X-Svc-Id': 'Identifier of the agent',
    'X-Svc-Purpose': 'What the agent wants, as `category:action`',
    'Signature-Input': 'Covered components and parameters of the signature (RFC 9421)',
    Signature: 'The signature, by a key of the agent (RFC 9421)',
  },
  answer: verificationOperations['GET /api/sample-counterparty'].answer,
  errors: ['VALIDATION_ERROR', 'invalid_signature'],
  waitsForHost: 'decision',
  handle: (parts: { verification: VisitSampleCounterpartyDeps }) => async (call) => {
    const signature = call.header('signature')
    const signatureInput = call.header('signature-input')
    if (signature === undefined || signatureInput === undefined) {
      throw validationError([
        { pointer: '', code: 'unsigned', message: 'the headers Signature and Signature-Input are required' },
      ])
    }
    const headers = COVERED.flatMap((name) => {
      const value = call.header(name)
      return value === undefined ? [] : [[name, value]]
    })
    const visit = await visitSampleCounterparty(parts.verification, {
      agentId: call.header('x-svc-id') ?? '',
      purpose: call.header('x-svc-purpose') ?? '',
      host: (call.header('host') ?? '').toLowerCase(),
      signature,
      signatureInput,
      headers: Object.fromEntries(headers),
      now: call.now,
      waitForHost: call.waitForHost,
    })
    return { body: { success: true, message: MESSAGES[visit.recommendation], ...visit } }
  },
})

const GRANTED = 'Granted: the sample counterparty serves your agent.'

const MESSAGES = {
  grant: GRANTED,
  audit: GRANTED,
  step_up_required: 'Held: the owner of the agent has to approve this request.',
  deny: 'Denied: the failures say why.',
} as const
