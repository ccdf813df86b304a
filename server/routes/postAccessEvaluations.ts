import { apiError } from '../errors.ts'
import { accessEvaluationSchemas } from './accessEvaluationSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: AuthZEN Authorization API 1.0 §7. */
export const postAccessEvaluations: Operation = {
  summary: 'Answers a batch of AuthZEN access evaluations, each by verifying access.',
  body: accessEvaluationSchemas.batch,
  answer: accessEvaluationSchemas.evaluatedBatch,
  errors: ['VALIDATION_ERROR', 'COUNTERPARTY_KEY_MISMATCH', 'SERVICE_UNAVAILABLE'],
  repeatable: true,
  standard: 'authzen',
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'apiKey')
    const takeAnother = async () => {
      const current = await call.refresh()
      if (current?.kind !== 'apiKey') throw apiError('UNAUTHENTICATED')
      await call.take('verify', current)
      return current
    }
    const { body: batch, now } = call
    return { body: await services.authzen.evaluateBatch({ principal, batch, now, takeAnother }) }
  },
}
