import { deleteApiKey, getApiKeys, postApiKeys } from './accounts/apiKeys.ts'
import { getKyd, postKyd } from './accounts/kyd.ts'
import {
  deleteAuthOauthIdentity,
  getAuthMethods,
  getAuthOauth,
  getAuthOauthCallback,
  getAuthOauthIdentities,
  postAuthOauthExchange,
  postAuthOauthLink,
} from './accounts/oauth.ts'
import {
  deleteOrganizationMember,
  getOrganizationMembers,
  getOrganizations,
  patchOrganizationMember,
  postInvitationAccept,
  postOrganizationMembers,
  postOrganizations,
} from './accounts/organizations.ts'
import {
  deletePasskey,
  getPasskeys,
  postPasskeyAuthenticationOptions,
  postPasskeyAuthenticationVerify,
  postPasskeyRegistrationOptions,
  postPasskeyRegistrationVerify,
  postPasskeySignUpOptions,
  postPasskeySignUpVerify,
} from './accounts/passkeys.ts'
import {
  postAuthPasswordChange,
  postAuthPasswordForgot,
  postAuthPasswordReset,
} from './accounts/passwords.ts'
import { deleteMe, getMeExport, postMeExport, postMeKeep } from './accounts/personalData.ts'
import {
  deleteAuthSession,
  getAuthSessions,
  getMe,
  postAuthLogin,
  postAuthLogout,
  postAuthLogoutAll,
  postAuthMfa,
  postAuthRefresh,
} from './accounts/sessions.ts'
import { postAuthRegister, postAuthVerifyEmail, postAuthVerifyEmailResend } from './accounts/signUp.ts'
import { deleteAuthTotp, postAuthTotp, postAuthTotpConfirm } from './accounts/totp.ts'
import { deleteWallet, getSiweNonce, postSiwe } from './accounts/wallets.ts'
import { getActivity, getActivityCounts, getActivityStream } from './activity/activity.ts'
import { getActivityExport } from './activity/activityExport.ts'
import { getAlerts, postAlertRead, postAlertsRead } from './activity/alerts.ts'
import { postAgentAdopt, postAgentAdoptStatement } from './agents/adoption.ts'
import {
  getAgent,
  getAgentStatistics,
  getAgents,
  getAgentTrustHistory,
  patchAgent,
  postAgentToken,
} from './agents/agents.ts'
import {
  deleteAgentApprovalRule,
  getAgentApprovalRules,
  putAgentApprovalRules,
} from './agents/approvalRules.ts'
import {
  deleteAgentCredential,
  getAgentCredentials,
  postAgentCredentials,
  postAgentCredentialsChallenge,
} from './agents/credentials.ts'
import { getDirectory } from './agents/directory.ts'
import {
  deleteAgentKey,
  deleteSigningAccount,
  getAgentKeySet,
  getAgentKeys,
  postAgentKeys,
} from './agents/keys.ts'
import {
  getAgentCard,
  getAgentRegistrations,
  getChainOwner,
  getRegistrationFile,
} from './agents/publicFiles.ts'
import { postAgentsRegister } from './agents/registration.ts'
import { getAgentSettings, putAgentSettings } from './agents/settings.ts'
import { postAgentHandOver, postAgentResume, postAgentRetire, postAgentSuspend } from './agents/status.ts'
import {
  deletePushSubscription,
  getPushSubscriptions,
  postPushSubscription,
} from './approvals/pushSubscriptions.ts'
import {
  getStepUpApproval,
  getStepUpApprovalPoll,
  getStepUpApprovals,
  postStepUpApprovalApprove,
  postStepUpApprovalDeny,
  postStepUpApprovalOptions,
} from './approvals/stepUpApprovals.ts'
import { getAuditBatch, getAuditBatches } from './audit/batches.ts'
import {
  getAuditCheckpoint,
  getAuditConsistency,
  getAuditExport,
  getAuditKey,
  getChain,
} from './audit/log.ts'
import {
  getAuditRecord,
  getAuditRecordProof,
  getAuditRecordReceipt,
  postAuditRecordReplay,
} from './audit/records.ts'
import {
  deleteEndpointAllowlistEntry,
  getEndpointAllowlist,
  postEndpointAllowlist,
} from './endpoints/allowlist.ts'
import {
  getEndpoint,
  getEndpointStatistics,
  getEndpoints,
  postEndpoints,
  putEndpoint,
} from './endpoints/endpoints.ts'
import {
  postEndpointArchive,
  postEndpointClaim,
  postEndpointDeactivate,
  postEndpointVerifyDomain,
} from './endpoints/status.ts'
import {
  deleteEndpointWebhook,
  getEndpointWebhook,
  getEndpointWebhookDeliveries,
  postEndpointRotateSecret,
  postEndpointTestWebhook,
  postEndpointWebhook,
  postEndpointWebhookRedeliver,
} from './endpoints/webhook.ts'
import { postMcp } from './mcp/postMcp.ts'
import type { TableRow } from './operation.ts'
import { getAdminAccounts, postAdminAccountResume, postAdminAccountSuspend } from './operator/accounts.ts'
import {
  deleteAgentCertification,
  getAgentCertifications,
  putAgentCertification,
} from './operator/certifications.ts'
import { getAdminEndpoints, postAdminEndpointRelease } from './operator/endpoints.ts'
import {
  getAdminKyd,
  getAdminKydCase,
  getAdminKydDocument,
  postAdminKydApprove,
  postAdminKydReject,
} from './operator/kyd.ts'
import {
  getAdminOrganizations,
  postAdminOrganizationResume,
  postAdminOrganizationSuspend,
} from './operator/organizations.ts'
import {
  getAdminPlatforms,
  postAdminPlatformRestore,
  postAdminPlatformWithdraw,
} from './operator/platforms.ts'
import {
  getRegistrationRequest,
  getRegistrationRequests,
  postRegistrationRequestApprove,
  postRegistrationRequestClaim,
  postRegistrationRequestDeny,
  postRegistrationRequestOptions,
  postRegistrationRequests,
} from './registrations/registrationRequests.ts'
import { getRequestRegistration, postRequestRegistration } from './registrations/requestRegistration.ts'
import { getLlmsTxt, getOpenApi } from './service/documents.ts'
import { getHealth, getJwks, getMetrics, getSignedRequests } from './service/service.ts'
import {
  getAuthzenConfiguration,
  postAccessEvaluation,
  postAccessEvaluations,
} from './verification/authzen.ts'
import { getSampleCounterparty } from './verification/sampleCounterparty.ts'
import { getStatusList, postSessionEnd, postUses } from './verification/sessions.ts'
import { headVerifyAccess, postVerifyAccess, postVerifyAccessDecision } from './verification/verifyAccess.ts'

/** Every operation of the API: method · path · who may call it · rate budget · operation. */
export const TABLE = [
  ['POST', '/api/agents/verify-access', 'apiKey', 'verify', postVerifyAccess],
  ['HEAD', '/api/agents/verify-access', 'anyone', 'public', headVerifyAccess],
  ['POST', '/api/agents/verify-access/:sessionId/decision', 'apiKey', 'verify', postVerifyAccessDecision],
  ['POST', '/api/agents/verify-access/uses', 'apiKey', 'verify', postUses],
  ['POST', '/api/agents/verify-access/:sessionId/end', 'apiKey', 'verify', postSessionEnd],
  ['GET', '/.well-known/status/:list', 'anyone', 'none', getStatusList],
  ['POST', '/access/v1/evaluation', 'apiKey', 'verify', postAccessEvaluation],
  ['POST', '/access/v1/evaluations', 'apiKey', 'verify', postAccessEvaluations],
  ['GET', '/api/sample-counterparty', 'anyone', 'public', getSampleCounterparty],
  ['GET', '/.well-known/authzen-configuration', 'anyone', 'public', getAuthzenConfiguration],
  ['GET', '/api/step-up-approvals/poll/:approvalId', 'apiKey', 'api', getStepUpApprovalPoll],
  ['GET', '/api/step-up-approvals', 'session', 'api', getStepUpApprovals],
  ['GET', '/api/step-up-approvals/:approvalId', 'session', 'api', getStepUpApproval],
  ['POST', '/api/step-up-approvals/:approvalId/options', 'session', 'api', postStepUpApprovalOptions],
  ['POST', '/api/step-up-approvals/:approvalId/approve', 'session', 'api', postStepUpApprovalApprove],
  ['POST', '/api/step-up-approvals/:approvalId/deny', 'session', 'api', postStepUpApprovalDeny],
  ['GET', '/api/push-subscriptions', 'session', 'api', getPushSubscriptions],
  ['POST', '/api/push-subscriptions', 'session', 'api', postPushSubscription],
  ['DELETE', '/api/push-subscriptions/:id', 'session', 'api', deletePushSubscription],

  ['POST', '/api/agents/register', 'signatureOrApiKey', 'api', postAgentsRegister],
  ['POST', '/api/agents/request-registration', 'anyone', 'outreach', postRequestRegistration],
  ['GET', '/api/agents/request-registration/:requestId', 'anyone', 'public', getRequestRegistration],
  ['GET', '/api/registration-requests', 'session', 'api', getRegistrationRequests],
  ['POST', '/api/registration-requests', 'session', 'api', postRegistrationRequests],
  ['GET', '/api/registration-requests/:requestId', 'session', 'api', getRegistrationRequest],
  ['POST', '/api/registration-requests/:requestId/claim', 'session', 'api', postRegistrationRequestClaim],
  ['POST', '/api/registration-requests/:requestId/options', 'session', 'api', postRegistrationRequestOptions],
  ['POST', '/api/registration-requests/:requestId/approve', 'session', 'api', postRegistrationRequestApprove],
  ['POST', '/api/registration-requests/:requestId/deny', 'session', 'api', postRegistrationRequestDeny],
  ['POST', '/api/agents/adopt/statement', 'session', 'api', postAgentAdoptStatement],
  ['POST', '/api/agents/adopt', 'session', 'api', postAgentAdopt],
  ['GET', '/api/agents', 'session', 'api', getAgents],
  ['GET', '/api/directory', 'anyone', 'public', getDirectory],
  ['GET', '/api/agents/:id', 'optionalOrAgent', 'api', getAgent],
  ['PATCH', '/api/agents/:id', 'sessionOrApiKey', 'api', patchAgent],
  ['POST', '/api/agents/:id/token', 'signature', 'api', postAgentToken],
  ['POST', '/api/agents/:id/hand-over', 'session', 'api', postAgentHandOver],
  ['POST', '/api/agents/:id/suspend', 'session', 'api', postAgentSuspend],
  ['POST', '/api/agents/:id/resume', 'session', 'api', postAgentResume],
  ['POST', '/api/agents/:id/retire', 'session', 'api', postAgentRetire],
  ['GET', '/api/agents/:id/approval-rules', 'session', 'api', getAgentApprovalRules],
  ['PUT', '/api/agents/:id/approval-rules', 'elevatedSession', 'api', putAgentApprovalRules],
  ['DELETE', '/api/agents/:id/approval-rules/:ruleId', 'session', 'api', deleteAgentApprovalRule],
  ['GET', '/api/agents/:id/settings', 'session', 'api', getAgentSettings],
  ['PUT', '/api/agents/:id/settings', 'elevatedSession', 'api', putAgentSettings],
  ['GET', '/api/agents/:id/trust-history', 'sessionOrApiKey', 'api', getAgentTrustHistory],
  ['GET', '/api/agents/:id/statistics', 'sessionOrApiKey', 'api', getAgentStatistics],
  ['GET', '/api/agents/:id/credentials', 'sessionOrApiKey', 'api', getAgentCredentials],
  ['POST', '/api/agents/:id/credentials/challenge', 'sessionOrApiKey', 'api', postAgentCredentialsChallenge],
  ['POST', '/api/agents/:id/credentials', 'sessionOrApiKey', 'api', postAgentCredentials],
  ['DELETE', '/api/agents/:id/credentials/:credentialId', 'sessionOrApiKey', 'api', deleteAgentCredential],
  ['GET', '/api/agents/:id/keys', 'optional', 'api', getAgentKeys],
  ['POST', '/api/agents/:id/keys', 'elevatedSessionOrSignature', 'api', postAgentKeys],
  ['DELETE', '/api/agents/:id/keys/:kid', 'elevatedSessionOrSignature', 'api', deleteAgentKey],
  ['DELETE', '/api/agents/:id/accounts/:address', 'elevatedSessionOrSignature', 'api', deleteSigningAccount],
  ['GET', '/.well-known/agents/:svcId/jwks.json', 'anyone', 'public', getAgentKeySet],
  ['GET', '/api/agents/:id/card', 'optional', 'api', getAgentCard],
  ['GET', '/.well-known/agents/:svcId.json', 'anyone', 'public', getAgentCard],
  ['GET', '/.well-known/agent-registration.json', 'anyone', 'public', getAgentRegistrations],
  ['GET', '/registration-files/:svcId.json', 'anyone', 'public', getRegistrationFile],
  ['GET', '/api/chain/owners/:address', 'anyone', 'public', getChainOwner],

  ['POST', '/api/endpoints', 'apiKey', 'api', postEndpoints],
  ['GET', '/api/endpoints', 'session', 'api', getEndpoints],
  ['GET', '/api/endpoints/:id', 'sessionOrApiKey', 'api', getEndpoint],
  ['GET', '/api/endpoints/:id/statistics', 'sessionOrApiKey', 'api', getEndpointStatistics],
  ['PUT', '/api/endpoints/:id', 'sessionOrApiKey', 'api', putEndpoint],
  ['POST', '/api/endpoints/:id/claim', 'session', 'api', postEndpointClaim],
  ['POST', '/api/endpoints/:id/deactivate', 'session', 'api', postEndpointDeactivate],
  ['POST', '/api/endpoints/:id/archive', 'session', 'api', postEndpointArchive],
  ['POST', '/api/endpoints/:id/verify-domain', 'sessionOrApiKey', 'api', postEndpointVerifyDomain],
  ['GET', '/api/endpoints/:id/allowlist', 'sessionOrApiKey', 'api', getEndpointAllowlist],
  ['POST', '/api/endpoints/:id/allowlist', 'sessionOrApiKey', 'api', postEndpointAllowlist],
  ['DELETE', '/api/endpoints/:id/allowlist/:entryId', 'sessionOrApiKey', 'api', deleteEndpointAllowlistEntry],
  ['GET', '/api/endpoints/:id/webhook', 'sessionOrApiKey', 'api', getEndpointWebhook],
  ['POST', '/api/endpoints/:id/webhook', 'sessionOrApiKey', 'api', postEndpointWebhook],
  ['DELETE', '/api/endpoints/:id/webhook', 'sessionOrApiKey', 'api', deleteEndpointWebhook],
  ['POST', '/api/endpoints/:id/rotate-secret', 'sessionOrApiKey', 'api', postEndpointRotateSecret],
  ['POST', '/api/endpoints/:id/test-webhook', 'sessionOrApiKey', 'api', postEndpointTestWebhook],
  ['GET', '/api/endpoints/:id/webhook/deliveries', 'sessionOrApiKey', 'api', getEndpointWebhookDeliveries],
  [
    'POST',
    '/api/endpoints/:id/webhook/deliveries/:deliveryId/redeliver',
    'sessionOrApiKey',
    'api',
    postEndpointWebhookRedeliver,
  ],

  ['GET', '/api/activity', 'sessionOrApiKey', 'api', getActivity],
  ['GET', '/api/activity/counts', 'sessionOrApiKey', 'api', getActivityCounts],
  ['GET', '/api/activity/export', 'sessionOrApiKey', 'api', getActivityExport],
  ['GET', '/api/activity/stream', 'sessionOrApiKey', 'api', getActivityStream],
  ['GET', '/api/alerts', 'session', 'api', getAlerts],
  ['POST', '/api/alerts/read', 'session', 'api', postAlertsRead],
  ['POST', '/api/alerts/:alertId/read', 'session', 'api', postAlertRead],

  ['GET', '/api/audit/records/:id', 'optional', 'public', getAuditRecord],
  ['GET', '/api/audit/records/:id/proof', 'anyone', 'public', getAuditRecordProof],
  ['GET', '/api/audit/records/:id/receipt', 'sessionOrApiKey', 'api', getAuditRecordReceipt],
  ['POST', '/api/audit/records/:id/replay', 'sessionOrApiKey', 'api', postAuditRecordReplay],
  ['GET', '/api/audit/batches', 'anyone', 'public', getAuditBatches],
  ['GET', '/api/audit/batches/:number', 'anyone', 'public', getAuditBatch],
  ['GET', '/api/audit/export', 'sessionOrApiKey', 'api', getAuditExport],
  ['GET', '/api/audit/consistency', 'anyone', 'public', getAuditConsistency],
  ['GET', '/api/audit/checkpoint', 'anyone', 'public', getAuditCheckpoint],
  ['GET', '/api/audit/key', 'anyone', 'public', getAuditKey],
  ['GET', '/api/chain', 'anyone', 'public', getChain],

  ['POST', '/api/auth/register', 'anyone', 'public', postAuthRegister],
  ['POST', '/api/auth/login', 'anyone', 'login', postAuthLogin],
  ['POST', '/api/auth/refresh', 'anyone', 'public', postAuthRefresh],
  ['POST', '/api/auth/logout', 'anyone', 'public', postAuthLogout],
  ['POST', '/api/auth/logout-all', 'session', 'api', postAuthLogoutAll],
  ['GET', '/api/auth/sessions', 'session', 'api', getAuthSessions],
  ['DELETE', '/api/auth/sessions/:id', 'session', 'api', deleteAuthSession],
  ['POST', '/api/auth/verify-email', 'session', 'api', postAuthVerifyEmail],
  ['POST', '/api/auth/verify-email/resend', 'session', 'api', postAuthVerifyEmailResend],
  ['POST', '/api/auth/password/forgot', 'anyone', 'login', postAuthPasswordForgot],
  ['POST', '/api/auth/password/reset', 'anyone', 'login', postAuthPasswordReset],
  ['POST', '/api/auth/password/change', 'session', 'api', postAuthPasswordChange],
  ['POST', '/api/auth/mfa', 'anyone', 'login', postAuthMfa],
  ['POST', '/api/auth/mfa/totp', 'session', 'api', postAuthTotp],
  ['POST', '/api/auth/mfa/totp/confirm', 'session', 'api', postAuthTotpConfirm],
  ['DELETE', '/api/auth/mfa/totp', 'session', 'api', deleteAuthTotp],
  ['GET', '/api/auth/methods', 'anyone', 'public', getAuthMethods],
  ['GET', '/api/auth/oauth/identities', 'session', 'api', getAuthOauthIdentities],
  ['DELETE', '/api/auth/oauth/identities/:id', 'session', 'api', deleteAuthOauthIdentity],
  ['POST', '/api/auth/oauth/exchange', 'anyone', 'login', postAuthOauthExchange],
  ['GET', '/api/auth/oauth/:provider', 'anyone', 'login', getAuthOauth],
  ['GET', '/api/auth/oauth/:provider/callback', 'anyone', 'login', getAuthOauthCallback],
  ['POST', '/api/auth/oauth/:provider/link', 'session', 'api', postAuthOauthLink],
  ['GET', '/api/auth/siwe/nonce', 'anyone', 'challenge', getSiweNonce],
  ['POST', '/api/auth/siwe', 'optionalSession', 'login', postSiwe],
  ['DELETE', '/api/auth/wallets/:address', 'session', 'api', deleteWallet],
  ['POST', '/api/auth/passkeys/registration/options', 'session', 'api', postPasskeyRegistrationOptions],
  ['POST', '/api/auth/passkeys/registration/verify', 'session', 'api', postPasskeyRegistrationVerify],
  ['POST', '/api/auth/passkeys/sign-up/options', 'anyone', 'challenge', postPasskeySignUpOptions],
  ['POST', '/api/auth/passkeys/sign-up/verify', 'anyone', 'public', postPasskeySignUpVerify],
  [
    'POST',
    '/api/auth/passkeys/authentication/options',
    'optionalSession',
    'challenge',
    postPasskeyAuthenticationOptions,
  ],
  [
    'POST',
    '/api/auth/passkeys/authentication/verify',
    'optionalSession',
    'login',
    postPasskeyAuthenticationVerify,
  ],
  ['GET', '/api/auth/passkeys', 'session', 'api', getPasskeys],
  ['DELETE', '/api/auth/passkeys/:id', 'session', 'api', deletePasskey],
  ['GET', '/.well-known/jwks.json', 'anyone', 'none', getJwks],
  ['GET', '/.well-known/signed-requests.json', 'anyone', 'public', getSignedRequests],
  ['GET', '/api/me', 'session', 'api', getMe],
  ['DELETE', '/api/me', 'session', 'api', deleteMe],
  ['POST', '/api/me/keep', 'session', 'api', postMeKeep],
  ['POST', '/api/me/export', 'session', 'api', postMeExport],
  ['GET', '/api/me/export', 'session', 'api', getMeExport],
  ['POST', '/api/kyd', 'session', 'api', postKyd],
  ['GET', '/api/kyd', 'session', 'api', getKyd],
  ['GET', '/api/admin/kyd', 'operator', 'api', getAdminKyd],
  ['GET', '/api/admin/kyd/:id', 'operator', 'api', getAdminKydCase],
  ['GET', '/api/admin/kyd/:id/documents/:kind', 'operator', 'api', getAdminKydDocument],
  ['POST', '/api/admin/kyd/:id/approve', 'elevatedOperator', 'api', postAdminKydApprove],
  ['POST', '/api/admin/kyd/:id/reject', 'elevatedOperator', 'api', postAdminKydReject],
  ['GET', '/api/admin/agents/:id/certifications', 'operator', 'api', getAgentCertifications],
  ['PUT', '/api/admin/agents/:id/certifications/:name', 'elevatedOperator', 'api', putAgentCertification],
  [
    'DELETE',
    '/api/admin/agents/:id/certifications/:name',
    'elevatedOperator',
    'api',
    deleteAgentCertification,
  ],
  ['GET', '/api/admin/accounts', 'operator', 'api', getAdminAccounts],
  ['POST', '/api/admin/accounts/:id/suspend', 'elevatedOperator', 'api', postAdminAccountSuspend],
  ['POST', '/api/admin/accounts/:id/resume', 'elevatedOperator', 'api', postAdminAccountResume],
  ['GET', '/api/admin/organizations', 'operator', 'api', getAdminOrganizations],
  ['POST', '/api/admin/organizations/:id/suspend', 'elevatedOperator', 'api', postAdminOrganizationSuspend],
  ['POST', '/api/admin/organizations/:id/resume', 'elevatedOperator', 'api', postAdminOrganizationResume],
  ['GET', '/api/admin/endpoints', 'operator', 'api', getAdminEndpoints],
  ['POST', '/api/admin/endpoints/:id/release', 'elevatedOperator', 'api', postAdminEndpointRelease],
  ['GET', '/api/admin/platforms', 'operator', 'api', getAdminPlatforms],
  ['POST', '/api/admin/platforms/:id/withdraw', 'elevatedOperator', 'api', postAdminPlatformWithdraw],
  ['POST', '/api/admin/platforms/:id/restore', 'elevatedOperator', 'api', postAdminPlatformRestore],
  ['POST', '/api/organizations', 'session', 'api', postOrganizations],
  ['GET', '/api/organizations', 'session', 'api', getOrganizations],
  ['POST', '/api/organizations/:id/members', 'session', 'api', postOrganizationMembers],
  ['GET', '/api/organizations/:id/members', 'session', 'api', getOrganizationMembers],
  ['PATCH', '/api/organizations/:id/members/:userId', 'session', 'api', patchOrganizationMember],
  ['DELETE', '/api/organizations/:id/members/:userId', 'session', 'api', deleteOrganizationMember],
  ['POST', '/api/invitations/accept', 'session', 'api', postInvitationAccept],
  ['POST', '/api/api-keys', 'session', 'api', postApiKeys],
  ['GET', '/api/api-keys', 'session', 'api', getApiKeys],
  ['DELETE', '/api/api-keys/:id', 'session', 'api', deleteApiKey],

  ['GET', '/api/health', 'anyone', 'none', getHealth],
  ['GET', '/api/openapi.json', 'anyone', 'public', getOpenApi],
  ['GET', '/metrics', 'anyone', 'metrics', getMetrics],
  ['GET', '/llms.txt', 'anyone', 'public', getLlmsTxt],
  ['POST', '/mcp', 'optional', 'public', postMcp],
] as const satisfies readonly TableRow[]
