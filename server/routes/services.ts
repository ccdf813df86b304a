import type { AccountServices } from '../services/accounts/accountServices.ts'
import type { ActivityServices } from '../services/activity/activityServices.ts'
import type { AgentServices } from '../services/agents/agentServices.ts'
import type { AlertServices } from '../services/alerts/alertServices.ts'
import type { ApprovalServices } from '../services/approvals/approvalServices.ts'
import type { AuditServices } from '../services/audit/auditServices.ts'
import type { AuthzenServices } from '../services/authzen/authzenServices.ts'
import type { ChainOverview } from '../services/chain/chainOverview.ts'
import type { CredentialServices } from '../services/credentials/credentialServices.ts'
import type { VerifiedDomain, VerifyDomainInput } from '../services/domains/verifyDomain.ts'
import type { EndpointServices } from '../services/endpoints/endpointServices.ts'
import type { HealthReport } from '../services/health/checkHealth.ts'
import type { KydServices } from '../services/kyd/kydServices.ts'
import type { McpServices } from '../services/mcp/mcpServices.ts'
import type { OauthServices } from '../services/oauth/oauthServices.ts'
import type { PasskeyServices } from '../services/passkeys/passkeyServices.ts'
import type { RegistrationRequestServices } from '../services/registrationRequests/registrationRequestServices.ts'
import type { SignInServices } from '../services/signIn/signInServices.ts'
import type { ReadTrustHistoryInput, TrustHistory } from '../services/trustHistory/readTrustHistory.ts'
import type { RecordDecisionInput, RecordedDecision } from '../services/verification/recordDecision.ts'
import type { ReplayedDecision } from '../services/verification/replayDecision.ts'
import type { VerificationInput } from '../services/verification/verificationDeps.ts'
import type { WalletServices } from '../services/wallets/walletServices.ts'
import type { WebhookServices } from '../services/webhooks/webhookServices.ts'

/** Everything a route may call: use cases whose dependencies are already bound (`compose`). */
export type Services = {
  accounts: AccountServices
  signIn: SignInServices
  passkeys: PasskeyServices
  wallets: WalletServices
  kyd: KydServices
  oauth: OauthServices
  mcp: McpServices
  agents: AgentServices
  registrationRequests: RegistrationRequestServices
  credentials: CredentialServices
  trustHistory(input: ReadTrustHistoryInput): Promise<TrustHistory>
  endpoints: EndpointServices
  verifyAccess(input: VerificationInput): Promise<object>
  authzen: AuthzenServices
  recordDecision(input: RecordDecisionInput): Promise<RecordedDecision>
  replayDecision(input: { recordId: string; actsFor: ReadonlySet<string> }): Promise<ReplayedDecision>
  approvals: ApprovalServices
  alerts: AlertServices
  verifyDomain(input: VerifyDomainInput): Promise<VerifiedDomain>
  webhooks: WebhookServices
  activity: ActivityServices
  /** Internal id of an endpoint named by its `SVCE-` identifier; other text comes back as it is. */
  endpointInternalId(id: string): Promise<string>
  audit: AuditServices
  chainOverview(): Promise<ChainOverview>
  /** The OpenAPI document as JSON, and the same as a page for people. */
  publishedApi(): { json: string; page: string }
  metrics(): Promise<{ text: string; contentType: string }>
  health(input: { now: number }): Promise<HealthReport>
}
