export { compilePolicy, type PolicyEvaluator } from './compilePolicy.ts'
export { EvaluatePolicyError } from './evaluatePolicyError.ts'
export { readPolicyText as loadPolicy } from './readPolicyText.ts'
