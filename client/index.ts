export type { AgentRegistration } from './agent/agentRegistration.ts'
export {
  type AgentClientOptions,
  type AgentRequest,
  type AgentToken,
  createAgentClient,
} from './agent/createAgentClient.ts'
export { createPresenter, type Presentation } from './agent/createPresenter.ts'
export { type PresentedIdentity, readPresentedIdentity } from './agent/readPresentedIdentity.ts'
export {
  type OwnerAccount,
  type RegisterAgentInput,
  type RegisteredAgent,
  registerAgent,
} from './agent/registerAgent.ts'
export { type MessageSigner, signRequest } from './agent/signRequest.ts'
export {
  createGateway,
  type GatewayOptions,
  type GatewayOutcome,
  type Verified,
} from './gateway/createGateway.ts'
export {
  createVerifyClient,
  type EndpointRoute,
  type PolledApproval,
  type RecordedDecision,
  type VerifyClient,
  type VerifyClientConfig,
} from './gateway/createVerifyClient.ts'
export type { RequestFacts } from './gateway/requestFacts.ts'
export type { StepUpApproval, VerificationAnswer, VerifiedAgent } from './gateway/verificationAnswer.ts'
export type { VerificationFields } from './gateway/verificationFields.ts'
export { SvcApiError } from './http/svcApiError.ts'
export { compilePolicyFile, type PolicyEvaluator } from './policy/compilePolicyFile.ts'
export { EvaluatePolicyError } from './policy/evaluatePolicyError.ts'
