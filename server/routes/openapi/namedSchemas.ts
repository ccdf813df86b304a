import type { z } from 'zod'
import { verificationRequestSchema } from '../../../core/access/verificationRequestSchema.ts'
import { consistencyDocument, proofDocument } from '../../../core/audit/proofDocument.ts'
import { evaluationSchema } from '../../../core/authzen/evaluation.ts'
import { accountSchemas } from '../../../core/contract/accounts.ts'
import { activityItemSchema, eventSchema } from '../../../core/contract/activity.ts'
import { storedKeySchema } from '../../../core/contract/agentKeys.ts'
import { agentSchemas } from '../../../core/contract/agents.ts'
import { approvalSchemas } from '../../../core/contract/approvals.ts'
import { domainChallengeSchema } from '../../../core/contract/endpoints.ts'
import { interventionSchemas } from '../../../core/contract/interventions.ts'
import { kydSchemas } from '../../../core/contract/kyd.ts'
import { operations } from '../../../core/contract/operations.ts'
import { passkeySchemas } from '../../../core/contract/passkeys.ts'
import { registrationRequestSchemas } from '../../../core/contract/registrationRequests.ts'
import { agentPdlssSchema, endpointPdlssSchema } from '../../../core/pdlss/pdlss.ts'

const verification = operations['POST /api/agents/verify-access'].answer
const [anonymous, registered, unknownAgent] = verification.options

/** The schemas that the document defines once, under `components`, by name. */
export const NAMED_SCHEMAS = {
  VerificationRequest: verificationRequestSchema,
  Verification: verification,
  AnonymousVerification: anonymous,
  AgentVerification: registered,
  UnknownAgentVerification: unknownAgent,
  RequiredApproval: registered.shape.stepUpApproval.unwrap(),
  AccessEvaluation: evaluationSchema,
  AgentPdlss: agentPdlssSchema,
  EndpointPdlss: endpointPdlssSchema,
  Agent: agentSchemas.agent,
  ApprovalRules: operations['GET /api/agents/:id/approval-rules'].answer.shape.rules,
  AgentKey: storedKeySchema,
  Credential: operations['GET /api/agents/:id/credentials'].answer.shape.items.element,
  AgentCard: operations['GET /api/agents/:id/card'].answer,
  RegistrationFile: operations['GET /registration-files/:svcId.json'].answer,
  RegistrationRequest: registrationRequestSchemas.request,
  Endpoint: operations['GET /api/endpoints/:id'].answer.shape.endpoint,
  DomainChallenge: domainChallengeSchema,
  Routes: operations['GET /api/endpoints/:id'].answer.shape.endpoint.shape.routes,
  AllowlistEntry: operations['GET /api/endpoints/:id/allowlist'].answer.shape.items.element,
  Webhook: operations['GET /api/endpoints/:id/webhook'].answer.shape.webhook,
  WebhookDelivery: operations['GET /api/endpoints/:id/webhook/deliveries'].answer.shape.items.element,
  StepUpApproval: approvalSchemas.approval,
  Event: eventSchema,
  ActivityItem: activityItemSchema,
  Alert: operations['GET /api/alerts'].answer.shape.items.element,
  AuditBatch: operations['GET /api/audit/batches'].answer.shape.items.element,
  AuditProof: proofDocument,
  ConsistencyProof: consistencyDocument,
  User: accountSchemas.user,
  SignIn: accountSchemas.session,
  Session: accountSchemas.openSession,
  ApiKey: accountSchemas.apiKey,
  Organization: accountSchemas.organization,
  OrganizationMember: accountSchemas.member,
  OAuthIdentity: operations['GET /api/auth/oauth/identities'].answer.shape.items.element,
  Passkey: passkeySchemas.passkey,
  PasskeyCreationOptions: passkeySchemas.creationOptions,
  PasskeyRequestOptions: passkeySchemas.requestOptions,
  PasskeyRegistration: passkeySchemas.registration,
  PasskeyAssertion: passkeySchemas.assertion,
  KydState: kydSchemas.state,
  KydSubmission: kydSchemas.listed,
  KydCase: kydSchemas.case,
  Intervention: interventionSchemas.intervention,
  ListedAccount: interventionSchemas.account,
  ListedOrganization: interventionSchemas.organization,
  ListedEndpoint: interventionSchemas.endpoint,
  ListedPlatform: interventionSchemas.platform,
} as const satisfies Record<string, z.ZodType>
