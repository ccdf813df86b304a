import { authzenOperations } from '@svc/core/contract/authzen.ts'
import { apiError } from '../../errors.ts'
import { type EvaluateAccessDeps, evaluateAccess } from '../../services/authzen/evaluateAccess.ts'
import { type EvaluateBatchDeps, evaluateBatch } from '../../services/authzen/evaluateBatch.ts'
import { readBatch } from '../../services/authzen/readBatch.ts'
import { stampBatch } from '../../services/authzen/stampBatch.ts'
import { stampEvaluation } from '../../services/authzen/stampEvaluation.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

/** Source: AuthZEN Authorization API 1.0 §6. */
export const postAccessEvaluation = operation({
  summary: 'Evaluates an AuthZEN access request by verifying access.',
  body: authzenOperations['POST /access/v1/evaluation'].body,
  answer: authzenOperations['POST /access/v1/evaluation'].answer,
  errors: ['VALIDATION_ERROR', 'COUNTERPARTY_KEY_MISMATCH', 'SERVICE_UNAVAILABLE'],
  repeatable: true,
  waitsForHost: 'decision',
  stamp: (parts: { authzen: EvaluateAccessDeps }) => (call) =>
    stampEvaluation(parts.authzen, callerOf(call, 'apiKey'), call.body),
  standard: 'authzen',
  handle: (parts: { authzen: EvaluateAccessDeps }) => async (call) => {
    const principal = callerOf(call, 'apiKey')
    const { body: evaluation, now, once, waitForHost } = call
    return evaluateAccess(parts.authzen, { principal, evaluation, now, once, waitForHost })
  },
})

/**
 * Each evaluation counts as a verification. Under an Idempotency-Key, all of them count before any is stamped, because
 * stamping costs as much again whenever the batch is repeated; without one, each counts when its turn comes.
 *
 * Source: AuthZEN Authorization API 1.0 §7.
 */
export const postAccessEvaluations = operation({
  summary: 'Evaluates a batch of AuthZEN access requests, each by verifying access.',
  body: authzenOperations['POST /access/v1/evaluations'].body,
  answer: authzenOperations['POST /access/v1/evaluations'].answer,
  errors: ['VALIDATION_ERROR', 'COUNTERPARTY_KEY_MISMATCH', 'SERVICE_UNAVAILABLE'],
  repeatable: true,
  waitsForHost: 'decision',
  stamp: (parts: { authzen: EvaluateAccessDeps }) => (call) =>
    stampBatch(parts.authzen, callerOf(call, 'apiKey'), call.body),
  chargeStamp: async (call) => {
    const others = (readBatch(call.body).items?.length ?? 1) - 1
    for (let taken = 0; taken < others; taken += 1) await call.take('verify', call.principal)
  },
  standard: 'authzen',
  handle: (parts: { authzen: EvaluateBatchDeps }) => async (call) => {
    const principal = callerOf(call, 'apiKey')
    const isCharged = call.header('idempotency-key') !== undefined
    const takeAnother = async () => {
      const current = await call.refresh()
      if (current?.kind !== 'apiKey') throw apiError('UNAUTHENTICATED')
      if (!isCharged) await call.take('verify', current)
      return current
    }
    const { body: batch, now, once, waitForHost } = call
    return evaluateBatch(parts.authzen, { principal, batch, now, once, waitForHost, takeAnother })
  },
})

/** Source: AuthZEN Authorization API 1.0 §9 (policy decision point metadata). */
export const getAuthzenConfiguration = operation({
  summary: 'Returns the AuthZEN metadata of this policy decision point.',
  answer: authzenOperations['GET /.well-known/authzen-configuration'].answer,
  errors: [],
  handle:
    ({ authzen }: { authzen: { publicUrl: string } }) =>
    () => ({
      body: {
        policy_decision_point: authzen.publicUrl,
        access_evaluation_endpoint: `${authzen.publicUrl}/access/v1/evaluation`,
        access_evaluations_endpoint: `${authzen.publicUrl}/access/v1/evaluations`,
      },
    }),
})
