import type { TableRow } from '../operation.ts'
import { deleteApiKey, getApiKeys, postApiKeys } from './apiKeys.ts'
import { getKyd, postKyd } from './kyd.ts'
import {
  deleteAuthOauthIdentity,
  getAuthMethods,
  getAuthOauth,
  getAuthOauthCallback,
  getAuthOauthIdentities,
  postAuthOauthExchange,
  postAuthOauthLink,
} from './oauth.ts'
import {
  deleteOrganizationMember,
  getOrganizationMembers,
  getOrganizations,
  patchOrganizationMember,
  postInvitationAccept,
  postOrganizationMembers,
  postOrganizations,
} from './organizations.ts'
import {
  deletePasskey,
  getPasskeys,
  postPasskeyAuthenticationOptions,
  postPasskeyAuthenticationVerify,
  postPasskeyRegistrationOptions,
  postPasskeyRegistrationVerify,
  postPasskeySignUpOptions,
  postPasskeySignUpVerify,
} from './passkeys.ts'
import { postAuthPasswordChange, postAuthPasswordForgot, postAuthPasswordReset } from './passwords.ts'
import { deleteMe, getMeExport, postMeExport, postMeKeep } from './personalData.ts'
import {
  deleteAuthSession,
  getAuthSessions,
  getMe,
  postAuthLogin,
  postAuthLogout,
  postAuthLogoutAll,
  postAuthMfa,
  postAuthRefresh,
} from './sessions.ts'
import { postAuthRegister, postAuthVerifyEmail, postAuthVerifyEmailResend } from './signUp.ts'
import { deleteAuthTotp, postAuthTotp, postAuthTotpConfirm } from './totp.ts'
import { deleteWallet, getSiweNonce, postSiwe } from './wallets.ts'

/** The operations for accounts, sign-in and organisations. */
export const ACCOUNT_TABLE = [
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
  ['GET', '/api/me', 'session', 'api', getMe],
  ['DELETE', '/api/me', 'session', 'api', deleteMe],
  ['POST', '/api/me/keep', 'session', 'api', postMeKeep],
  ['POST', '/api/me/export', 'session', 'api', postMeExport],
  ['GET', '/api/me/export', 'session', 'api', getMeExport],
  ['POST', '/api/kyd', 'session', 'api', postKyd],
  ['GET', '/api/kyd', 'session', 'api', getKyd],
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
] as const satisfies readonly TableRow[]
