export { compilePolicyFile, type PolicyEvaluator } from './policy/compilePolicyFile.ts'
export { EvaluatePolicyError, type PolicyFieldError } from './policy/evaluatePolicyError.ts'
export { readPolicyText as loadPolicy } from './policy/readPolicyText.ts'
