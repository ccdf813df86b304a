import type { EvaluateAccessInput, EvaluatedAccess } from './evaluateAccess.ts'
import type { EvaluateBatchInput, EvaluatedBatch } from './evaluateBatch.ts'

/** The AuthZEN door, with its dependencies bound. */
export type AuthzenServices = {
  evaluate(input: EvaluateAccessInput): Promise<EvaluatedAccess>
  evaluateBatch(input: EvaluateBatchInput): Promise<EvaluatedBatch>
  /** Base address of the service, without a slash at the end. */
  publicUrl: string
}
