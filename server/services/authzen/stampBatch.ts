import { ApiError } from '../../errors.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { EvaluateAccessDeps } from './evaluateAccess.ts'
import { readBatch } from './readBatch.ts'
import { stampEvaluation } from './stampEvaluation.ts'

/**
 * Describes the parties of all the evaluations of a batch; a batch without evaluations is itself one.
 *
 * An evaluation that is refused has no parties: its refusal is described instead.
 *
 * @throws ApiError VALIDATION_ERROR if the batch as a whole is invalid.
 */
export async function stampBatch(
  deps: EvaluateAccessDeps,
  principal: ApiKeyPrincipal,
  batch: unknown,
): Promise<string> {
  const { items } = readBatch(batch)
  if (items === null) return stampEvaluation(deps, principal, batch)
  const stamps = items.map((item) => stampEvaluation(deps, principal, item).catch(describeRefusal))
  return JSON.stringify(await Promise.all(stamps))
}

function describeRefusal(error: unknown): string {
  if (error instanceof ApiError && error.status < 500) return error.code
  throw error
}
