import type { ApiKeyPrincipal } from '../principal.ts'
import { stampParties } from '../verification/parties/stampParties.ts'
import type { EvaluateAccessDeps } from './evaluateAccess.ts'
import { readEvaluation } from './readEvaluation.ts'

/**
 * Describes the parties of an evaluation as far as its decision depends on them, like `stampParties`.
 *
 * @throws ApiError VALIDATION_ERROR with pointers into the evaluation.
 */
export async function stampEvaluation(
  deps: EvaluateAccessDeps,
  principal: ApiKeyPrincipal,
  evaluation: unknown,
): Promise<string> {
  const { request } = await readEvaluation(deps, principal, evaluation)
  return stampParties(deps.verification, principal, request)
}
