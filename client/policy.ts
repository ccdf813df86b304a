export { compilePolicy, type PolicyEvaluator } from './policy/compilePolicy.ts'
export { EvaluatePolicyError, type PolicyFieldError } from './policy/evaluatePolicyError.ts'
