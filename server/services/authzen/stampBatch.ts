import { ApiError } from '../../errors.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { EvaluateAccessDeps } from './evaluateAccess.ts'
import { readBatch } from './readBatch.ts'
import { shareSoleEndpoint } from './readEvaluation.ts'
import { stampEvaluation } from './stampEvaluation.ts'

/**
 * Describes the parties of all the evaluations of a batch, one after another, so that a batch takes no more of the database
 * at a time than a single evaluation; a batch without evaluations is itself one.
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
  const shared = shareSoleEndpoint(deps)
  const stamps: string[] = []
  for (const item of items) stamps.push(await stampEvaluation(shared, principal, item).catch(describeRefusal))
  return JSON.stringify(stamps)
}

function describeRefusal(error: unknown): string {
  if (error instanceof ApiError && error.status < 500) return error.code
  throw error
}
