export type { AgentRegistration } from './agentRegistration.ts'
export { compilePolicyFile, type PolicyEvaluator } from './evaluatePolicy.ts'
export { EvaluatePolicyError } from './evaluatePolicyError.ts'
export {
  createGateway,
  type GatewayConfig,
  type GatewayRequest,
  type GatewayResponse,
  type Verified,
} from './gateway.ts'
export { type PresentedIdentity, readPresentedIdentity } from './presentedIdentity.ts'
export { createPresenter, type Presentation } from './presenter.ts'
export {
  type OwnerAccount,
  type RegisterAgentInput,
  type RegisteredAgent,
  registerAgent,
} from './registerAgent.ts'
export { type MessageSigner, signRequest } from './signRequest.ts'
export { SvcApiError } from './svcApiError.ts'
export type { StepUpApproval, VerificationAnswer, VerifiedAgent } from './verificationAnswer.ts'
export type { VerificationFields } from './verificationFields.ts'
export {
  createVerifyClient,
  type EndpointRoute,
  type PolledApproval,
  type RecordedDecision,
  type VerifyClient,
  type VerifyClientConfig,
} from './verifyClient.ts'
