import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type LogInDeps, logIn } from '../../services/accounts/logIn.ts'
import { type LogOutDeps, logOut } from '../../services/accounts/logOut.ts'
import { type ReadAccountDeps, readAccount } from '../../services/accounts/readAccount.ts'
import { type RefreshSessionDeps, refreshSession } from '../../services/accounts/refreshSession.ts'
import { type EndAllSessionsDeps, endAllSessions } from '../../services/signIn/endAllSessions.ts'
import { type EndSessionDeps, endSession } from '../../services/signIn/endSession.ts'
import { type FinishSignInDeps, finishSignIn } from '../../services/signIn/finishSignIn.ts'
import { type ListSessionsDeps, listSessions } from '../../services/signIn/listSessions.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { PAGE_QUERY, pageAnswer, readPart, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'
import { accountSchemas } from './accountSchemas.ts'
import { kydSchemas } from './kydSchemas.ts'

const postAuthLoginBody = z.object({ email: accountSchemas.email, password: z.string().min(1).max(200) })

/** Source: `Spec: POST /api/auth/login`; api.md "Accounts". */
export const postAuthLogin = operation({
  summary: 'Signs in by e-mail and password, or answers an interim token where a code is asked for.',
  body: postAuthLoginBody,
  answer: z.union([
    accountSchemas.session,
    z.object({
      success: z.literal(true),
      mfaRequired: z.literal(true),
      interimToken: z.string(),
      methods: z.array(z.enum(['totp', 'recovery_code'])),
      expiresIn: z.number(),
    }),
  ]),
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED'],
  handle: (parts: { accounts: LogInDeps }) => async (call) => {
    const input = parseInput(postAuthLoginBody, call.body)
    const { ip, now } = call
    const data = await logIn(parts.accounts, { ...input, ip, client: clientOf(call), now })
    return { body: 'mfaRequired' in data ? { success: true, ...data } : { success: true, data } }
  },
})

const postAuthMfaBody = z.object({ interimToken: z.string().min(1).max(200), code: accountSchemas.code })

/** Source: api.md "Accounts". */
export const postAuthMfa = operation({
  summary: 'Completes a sign-in with a code of the authenticator app or a recovery code.',
  body: postAuthMfaBody,
  answer: accountSchemas.session,
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED'],
  handle: (parts: { accounts: FinishSignInDeps }) => async (call) => {
    const input = parseInput(postAuthMfaBody, call.body)
    const { ip, now } = call
    const data = await finishSignIn(parts.accounts, { ...input, ip, client: clientOf(call), now })
    return { body: { success: true, data } }
  },
})

const postAuthRefreshBody = z.object({ refreshToken: accountSchemas.refreshToken })

/** Source: api.md "Accounts". */
export const postAuthRefresh = operation({
  summary:
    'Gives a new access token and the next refresh token; a refresh token used twice ends the session.',
  body: postAuthRefreshBody,
  answer: accountSchemas.session,
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED'],
  handle: (parts: { accounts: RefreshSessionDeps }) => async (call) => {
    const { refreshToken } = parseInput(postAuthRefreshBody, call.body)
    const data = await refreshSession(parts.accounts, { refreshToken, client: clientOf(call), now: call.now })
    return { body: { success: true, data } }
  },
})

const postAuthLogoutBody = z.object({ refreshToken: accountSchemas.refreshToken })

/** Source: api.md "Accounts". */
export const postAuthLogout = operation({
  summary: 'Ends the session of a refresh token, with all its tokens.',
  body: postAuthLogoutBody,
  answer: z.object({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { accounts: LogOutDeps }) => async (call) => {
    const { refreshToken } = parseInput(postAuthLogoutBody, call.body)
    await logOut(parts.accounts, { refreshToken, now: call.now })
    return { body: { success: true } }
  },
})

/** Source: api.md "Accounts". */
export const postAuthLogoutAll = operation({
  summary: 'Signs the caller out everywhere, here too.',
  answer: z.object({ success: z.literal(true), endedSessions: z.number() }),
  errors: [],
  handle: (parts: { accounts: EndAllSessionsDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const endedSessions = await endAllSessions(parts.accounts, { principal, now: call.now })
    return { body: { success: true, endedSessions } }
  },
})

/** Source: api.md "Accounts". */
export const getAuthSessions = operation({
  summary: 'Lists the caller’s open sessions, the last used first.',
  query: PAGE_QUERY,
  answer: pageAnswer(accountSchemas.openSession),
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { accounts: ListSessionsDeps }) => async (call) => {
    const asked = readPart(call.query)
    const principal = callerOf(call, 'session')
    const input = { principal, ...asked, now: call.now }
    return { body: writePage(await listSessions(parts.accounts, input)) }
  },
})

/** Source: api.md "Accounts". */
export const deleteAuthSession = operation({
  summary: 'Ends one of the caller’s sessions, with all its tokens.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['NOT_FOUND'],
  handle: (parts: { accounts: EndSessionDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const id = call.params.id ?? ''
    await endSession(parts.accounts, { principal, id, now: call.now })
    return { body: { success: true, id } }
  },
})

/** Source: api.md "Accounts". */
export const getMe = operation({
  summary:
    'Shows the signed-in account: identifier, organisations, wallets, verified identity and the number of its passkeys.',
  answer: z.object({
    success: z.literal(true),
    user: accountSchemas.user,
    organizations: z.array(accountSchemas.organization),
    wallets: z.array(z.string()),
    kyd: kydSchemas.state,
    passkeyCount: z.number(),
    totp: z.object({ isOn: z.boolean(), recoveryCodesLeft: z.number() }),
  }),
  errors: [],
  handle: (parts: { accounts: ReadAccountDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: { success: true, ...(await readAccount(parts.accounts, { principal, now: call.now })) } }
  },
})
