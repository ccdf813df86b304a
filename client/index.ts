export type {
  AnonymousAnswer,
  ProvisionalAgent,
  RegisteredAnswer,
  StepUpApproval,
  UnknownAgentAnswer,
  VerificationAnswer,
  VerifiedAgent,
} from '@svc/core/contract/verification.ts'
export {
  type AgentKey,
  exportPublicKey,
  generateAgentKey,
  importAgentKey,
  type KeyPair,
  type KeyToImport,
  type PrivateKey,
  type PublicKey,
  type WebCryptoKey,
} from './agent/agentKey.ts'
export type { AgentRegistration } from './agent/agentRegistration.ts'
export { type AgentSigner, accountSigner, type KeyAlgorithm } from './agent/agentSigner.ts'
export type { ServiceChoice } from './agent/chooseService.ts'
export {
  type AgentClientOptions,
  type AgentRequest,
  type AgentToken,
  createAgentClient,
  type TokenRequest,
} from './agent/createAgentClient.ts'
export { createIntentProof, type Intent } from './agent/createIntentProof.ts'
export { createKeyProof, type KeyAddition } from './agent/createKeyProof.ts'
export type { ChallengeAnswer } from './agent/createPendingCounterparties.ts'
export { createPresenter, type PerRequest, type Presentation } from './agent/createPresenter.ts'
export { type PresentedIdentity, readPresentedIdentity } from './agent/readPresentedIdentity.ts'
export {
  type OwnerAccount,
  type RegisterAgentInput,
  type RegisteredAgent,
  registerAgent,
} from './agent/registerAgent.ts'
export { type SignedFetchOptions, signFetch } from './agent/signFetch.ts'
export {
  type HttpRequestToSign,
  type SignatureOptions,
  signHttpRequest,
} from './agent/signHttpRequest.ts'
export { type MessageSigner, type RequestToSign, signRequest } from './agent/signRequest.ts'
export {
  type AskForAnswer,
  createGateway,
  type GatewayOptions,
  type GatewayOutcome,
  type Unverified,
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
export type { SessionToken } from './gateway/findSessionTokens.ts'
export type { GatewayRefusal } from './gateway/gatewayRefusal.ts'
export type { ReceivedBody } from './gateway/receivedBody.ts'
export type { RequestFacts } from './gateway/requestFacts.ts'
export type { VerificationFields } from './gateway/verificationFields.ts'
export type { SenderConfig } from './http/createSender.ts'
export type { HeadersToRead } from './http/readHeaders.ts'
export { SvcApiError, type SvcApiFailure } from './http/svcApiError.ts'
