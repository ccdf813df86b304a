export type { AgentRegistration } from './agentRegistration.ts'
export {
  type AgentClientOptions,
  type AgentRequest,
  type AgentToken,
  createAgentClient,
} from './createAgentClient.ts'
export { createGateway, type GatewayOutcome } from './createGateway.ts'
export { compilePolicyFile, type PolicyEvaluator } from './evaluatePolicy.ts'
export { EvaluatePolicyError } from './evaluatePolicyError.ts'
export type { GatewayOptions } from './gatewayOptions.ts'
export { type PresentedIdentity, readPresentedIdentity } from './presentedIdentity.ts'
export { createPresenter, type Presentation } from './presenter.ts'
export {
  type OwnerAccount,
  type RegisterAgentInput,
  type RegisteredAgent,
  registerAgent,
} from './registerAgent.ts'
export type { RequestFacts } from './requestFacts.ts'
export { type MessageSigner, signRequest } from './signRequest.ts'
export { SvcApiError } from './svcApiError.ts'
export type { StepUpApproval, VerificationAnswer, VerifiedAgent } from './verificationAnswer.ts'
export type { VerificationFields } from './verificationFields.ts'
export type { Verified } from './verified.ts'
export {
  createVerifyClient,
  type EndpointRoute,
  type PolledApproval,
  type RecordedDecision,
  type VerifyClient,
  type VerifyClientConfig,
} from './verifyClient.ts'
