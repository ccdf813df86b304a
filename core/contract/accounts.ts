import { z } from 'zod'
import { done, pageAnswer, success } from './envelope.ts'
import { kydSchemas } from './kyd.ts'

const role = z.enum(['owner', 'admin', 'member', 'viewer'])

const user = z.object({
  id: z.string(),
  developerId: z.string(),
  email: z.string().nullable(),
  isEmailVerified: z.boolean(),
  fullName: z.string().nullable(),
  accountType: z.enum(['individual', 'business']),
  role: z.enum(['user', 'operator']),
  kydStatus: z.enum(['none', 'verified']),
  createdAt: z.string(),
})

const session = z.object({
  accessToken: z.string(),
  /** Left out if the request asked for it in a cookie. */
  refreshToken: z.string().optional(),
  /** Lifetime of the access token in seconds. */
  expiresIn: z.number(),
  user,
})

const membership = { role, status: z.enum(['invited', 'active', 'suspended']), createdAt: z.string() }

/** Schemas that the account operations share. Bound of an address: RFC 5321 §4.5.3. */
export const accountSchemas = {
  email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
  /** The name of a person, an API key or a passkey. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u, 'contains a control character'),
  /** Bounded above, because hashing it costs the server time. */
  newPassword: z.string().min(10).max(200),
  /** A code of an authenticator app, or a recovery code; people type spaces and hyphens. */
  code: z.string().trim().min(6).max(40),
  mailedToken: z.string().min(1).max(200),
  refreshToken: z.string().min(1).max(200),
  role,
  user,
  organization: z.object({
    organizationId: z.string(),
    name: z.string(),
    /** Whether an operator of the service has suspended it. `status` is that of the membership. */
    isSuspended: z.boolean(),
    ...membership,
  }),
  member: z.object({
    /** The id in paths: of the user for a member, otherwise of the invitation. */
    id: z.string(),
    /** Null for an invitation, so that it does not reveal whether the address has an account. */
    userId: z.string().nullable(),
    email: z.string().nullable(),
    fullName: z.string().nullable(),
    ...membership,
  }),
  openSession: z.object({
    id: z.string(),
    isCurrent: z.boolean(),
    amr: z.array(z.string()),
    browser: z.string().nullable(),
    network: z.string().nullable(),
    signedInAt: z.string(),
    lastUsedAt: z.string(),
  }),
  dataExport: z.object({
    status: z.enum(['preparing', 'ready', 'failed']),
    requestedAt: z.string(),
    readyAt: z.string().nullable(),
    /** When the file is deleted; null until it is ready. */
    expiresAt: z.string().nullable(),
    /** Of the file, in bytes; null until it is ready. */
    sizeBytes: z.number().nullable(),
  }),
  apiKey: z.object({
    id: z.string(),
    name: z.string(),
    lastFour: z.string(),
    organizationId: z.string().nullable(),
    userId: z.string(),
    createdAt: z.string(),
  }),
  /** The response that signs a user in. */
  session: success({ data: session }),
  /** The response that renews a session. */
  renewedSession: success({
    data: session.nullable().describe('Null if the token was to be in a cookie, and the request has none'),
  }),
} as const

/** An export of the account's data, as its owner sees it. */
export type DataExport = z.output<typeof accountSchemas.dataExport>

/** An account, as its owner sees it. */
export type User = z.output<typeof accountSchemas.user>

/** The tokens of a session and its account. */
export type Session = z.output<typeof accountSchemas.session>['data']

/** A session that has not ended. */
export type OpenSession = z.output<typeof accountSchemas.openSession>

/** An organisation and the caller's membership. */
export type Organization = z.output<typeof accountSchemas.organization>

/** A member of an organisation; `userId` and `fullName` are null for an invited person without an account. */
export type Member = z.output<typeof accountSchemas.member>

/** An API key without its secret. */
export type ApiKey = z.output<typeof accountSchemas.apiKey>

/** What a person states about the account to open, however they sign in to it. */
export const newAccountBody = z.object({
  email: accountSchemas.email,
  fullName: accountSchemas.name,
  accountType: z.enum(['individual', 'business']),
})

export const postAuthRegisterBody = newAccountBody.extend({ password: accountSchemas.newPassword })

export const postAuthVerifyEmailBody = z.object({ token: accountSchemas.mailedToken })

export const postAuthLoginBody = z.object({
  email: accountSchemas.email,
  password: z.string().min(1).max(200),
})

export const postAuthMfaBody = z.object({
  interimToken: z.string().min(1).max(200),
  code: accountSchemas.code,
})

/** The body of refresh and logout; the token is left out if it is in the cookie. */
export const refreshTokenBody = z.object({ refreshToken: accountSchemas.refreshToken.optional() })

export const postAuthPasswordForgotBody = z.object({ email: accountSchemas.email })

export const postAuthPasswordResetBody = z.object({
  token: accountSchemas.mailedToken,
  password: accountSchemas.newPassword,
})

export const postAuthPasswordChangeBody = z.object({
  currentPassword: z.string().min(1).max(200).optional(),
  newPassword: accountSchemas.newPassword,
})

export const postAuthTotpConfirmBody = z.object({ code: accountSchemas.code })

export const deleteAuthTotpBody = z.object({ code: accountSchemas.code.optional() }).default({})

/** Request and response schemas of the operations, by method and path. */
export const accountOperations = {
  'POST /api/auth/register': { body: postAuthRegisterBody, answer: accountSchemas.session },
  'POST /api/auth/verify-email': { body: postAuthVerifyEmailBody, answer: done },
  'POST /api/auth/verify-email/resend': { answer: done },
  'POST /api/auth/login': {
    body: postAuthLoginBody,
    answer: z.union([
      accountSchemas.session,
      success({
        mfaRequired: z.literal(true),
        interimToken: z.string(),
        methods: z.array(z.enum(['totp', 'recovery_code'])),
        expiresIn: z.number(),
      }),
    ]),
  },
  'POST /api/auth/mfa': { body: postAuthMfaBody, answer: accountSchemas.session },
  'POST /api/auth/refresh': { body: refreshTokenBody, answer: accountSchemas.renewedSession },
  'POST /api/auth/logout': { body: refreshTokenBody, answer: done },
  'POST /api/auth/logout-all': { answer: success({ endedSessions: z.number() }) },
  'GET /api/auth/sessions': { answer: pageAnswer(accountSchemas.openSession) },
  'DELETE /api/auth/sessions/:id': { answer: success({ id: z.string() }) },
  'GET /api/me': {
    answer: success({
      user: accountSchemas.user,
      organizations: z.array(accountSchemas.organization),
      wallets: z.array(z.string()),
      kyd: kydSchemas.state,
      passkeyCount: z.number(),
      totp: z.object({ isOn: z.boolean(), recoveryCodesLeft: z.number() }),
      /** When the account will be erased; null unless its owner has asked for that. */
      erasureAt: z.string().nullable(),
      /** The newest export of everything about the account; null if there is none, or it has expired. */
      dataExport: accountSchemas.dataExport.nullable(),
    }),
  },
  'DELETE /api/me': { answer: success({ erasureAt: z.string() }) },
  'POST /api/me/keep': { answer: done },
  'POST /api/me/export': { answer: success({ dataExport: accountSchemas.dataExport }) },
  /** A zip archive. */
  'GET /api/me/export': { answer: z.string() },
  'POST /api/auth/password/forgot': { body: postAuthPasswordForgotBody, answer: done },
  'POST /api/auth/password/reset': { body: postAuthPasswordResetBody, answer: done },
  'POST /api/auth/password/change': { body: postAuthPasswordChangeBody, answer: done },
  'POST /api/auth/mfa/totp': {
    answer: success({
      secret: z.string(),
      otpauthUrl: z.string(),
      recoveryCodes: z.array(z.string()),
    }),
  },
  'POST /api/auth/mfa/totp/confirm': { body: postAuthTotpConfirmBody, answer: done },
  'DELETE /api/auth/mfa/totp': { body: deleteAuthTotpBody, answer: done },
} as const

/** The signed-in account with its memberships and its ways to sign in. */
export type Me = z.output<(typeof accountOperations)['GET /api/me']['answer']>
