import { accessEvaluationSchemas } from './accessEvaluationSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: AuthZEN Authorization API 1.0 §6. */
export const postAccessEvaluation: Operation = {
  summary: 'Answers an AuthZEN access evaluation by verifying access.',
  body: accessEvaluationSchemas.evaluation,
  answer: accessEvaluationSchemas.evaluated,
  errors: ['VALIDATION_ERROR', 'COUNTERPARTY_KEY_MISMATCH', 'SERVICE_UNAVAILABLE'],
  repeatable: true,
  standard: 'authzen',
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'apiKey')
    return { body: await services.authzen.evaluate({ principal, evaluation: call.body, now: call.now }) }
  },
}
