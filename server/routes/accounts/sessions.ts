import {
  accountOperations,
  postAuthLoginBody,
  postAuthMfaBody,
  refreshTokenBody,
} from '@svc/core/contract/accounts.ts'
import type { Call } from '../../middleware/call.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type LogInDeps, logIn } from '../../services/accounts/logIn.ts'
import { type LogOutDeps, logOut } from '../../services/accounts/logOut.ts'
import { type ReadAccountDeps, readAccount } from '../../services/accounts/readAccount.ts'
import { type RefreshSessionDeps, refreshSession } from '../../services/accounts/refreshSession.ts'
import {
  type EndAllSessionsDeps,
  type EndSessionDeps,
  endAllSessions,
  endSession,
} from '../../services/signIn/endSession.ts'
import { type FinishSignInDeps, finishSignIn } from '../../services/signIn/finishSignIn.ts'
import { type ListSessionsDeps, listSessions } from '../../services/signIn/listSessions.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { PAGE_QUERY, readTimedPage, writePage } from '../border/pagination.ts'
import {
  answerSession,
  asksForCookie,
  dropSessionCookie,
  readSessionCookie,
  SESSION_HEADER,
  type SessionCookieDeps,
} from '../border/sessionCookie.ts'
import { operation } from '../operation.ts'

/**
 * The refresh token in the body or, for a request that asks for it, in the cookie; null without one.
 *
 * @throws ApiError VALIDATION_ERROR for a bad body, FORBIDDEN for a cookie from a page of another origin.
 */
function findRefreshToken(deps: SessionCookieDeps, call: Call): string | null {
  const { refreshToken } = parseInput(refreshTokenBody, call.body)
  return refreshToken ?? readSessionCookie(deps, call)
}

/** @throws ApiError VALIDATION_ERROR, for a request without a token. */
function requireRefreshToken(token: string | null): string {
  return token ?? parseInput(refreshTokenBody.required(), {}).refreshToken
}

/** Source: `Spec: POST /api/auth/login`. */
export const postAuthLogin = operation({
  summary:
    'Signs in with an e-mail address and a password; returns an interim token if a second factor is required.',
  body: accountOperations['POST /api/auth/login'].body,
  headers: SESSION_HEADER,
  answer: accountOperations['POST /api/auth/login'].answer,
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'ACCOUNT_SUSPENDED'],
  handle: (parts: { accounts: LogInDeps & SessionCookieDeps }) => async (call) => {
    const input = parseInput(postAuthLoginBody, call.body)
    const { ip, now } = call
    const data = await logIn(parts.accounts, { ...input, ip, client: clientOf(call), now })
    return 'mfaRequired' in data
      ? { body: { success: true, ...data } }
      : answerSession(parts.accounts, call, data)
  },
})

export const postAuthMfa = operation({
  summary: 'Completes a sign-in with a code from the authenticator app or a recovery code.',
  body: accountOperations['POST /api/auth/mfa'].body,
  headers: SESSION_HEADER,
  answer: accountOperations['POST /api/auth/mfa'].answer,
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'ACCOUNT_SUSPENDED'],
  handle: (parts: { accounts: FinishSignInDeps & SessionCookieDeps }) => async (call) => {
    const input = parseInput(postAuthMfaBody, call.body)
    const { ip, now } = call
    const data = await finishSignIn(parts.accounts, { ...input, ip, client: clientOf(call), now })
    return answerSession(parts.accounts, call, data)
  },
})

export const postAuthRefresh = operation({
  summary:
    'Returns a new access token and the next refresh token. Reusing a refresh token ends the session; for 30 seconds, and while the next one is unused, it returns the same next one.',
  body: accountOperations['POST /api/auth/refresh'].body,
  headers: SESSION_HEADER,
  answer: accountOperations['POST /api/auth/refresh'].answer,
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'FORBIDDEN', 'ACCOUNT_SUSPENDED'],
  handle: (parts: { accounts: RefreshSessionDeps & SessionCookieDeps }) => async (call) => {
    const token = findRefreshToken(parts.accounts, call)
    // Not even an error: browsers cannot know whether they have the cookie, and report every 4xx on their console.
    if (token === null && asksForCookie(call)) return { body: { success: true, data: null } }
    const refreshToken = requireRefreshToken(token)
    const data = await refreshSession(parts.accounts, { refreshToken, client: clientOf(call), now: call.now })
    return answerSession(parts.accounts, call, data)
  },
})

export const postAuthLogout = operation({
  summary: 'Ends the session of a refresh token and revokes all its tokens.',
  body: accountOperations['POST /api/auth/logout'].body,
  headers: SESSION_HEADER,
  answer: accountOperations['POST /api/auth/logout'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN'],
  handle: (parts: { accounts: LogOutDeps & SessionCookieDeps }) => async (call) => {
    const refreshToken = requireRefreshToken(findRefreshToken(parts.accounts, call))
    await logOut(parts.accounts, { refreshToken, now: call.now })
    return { headers: dropSessionCookie(parts.accounts, call), body: { success: true } }
  },
})

export const postAuthLogoutAll = operation({
  summary: 'Ends all sessions of the caller, including this one.',
  answer: accountOperations['POST /api/auth/logout-all'].answer,
  errors: [],
  handle: (parts: { accounts: EndAllSessionsDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const endedSessions = await endAllSessions(parts.accounts, { principal, now: call.now })
    return { body: { success: true, endedSessions } }
  },
})

export const getAuthSessions = operation({
  summary: 'Lists the caller’s open sessions, most recently used first.',
  query: PAGE_QUERY,
  answer: accountOperations['GET /api/auth/sessions'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { accounts: ListSessionsDeps }) => async (call) => {
    const page = readTimedPage(call.query)
    const principal = callerOf(call, 'session')
    const input = { principal, ...page, now: call.now }
    return { body: writePage(await listSessions(parts.accounts, input)) }
  },
})

export const deleteAuthSession = operation({
  summary: 'Ends one of the caller’s sessions and revokes all its tokens.',
  answer: accountOperations['DELETE /api/auth/sessions/:id'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { accounts: EndSessionDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const id = call.params.id ?? ''
    await endSession(parts.accounts, { principal, id, now: call.now })
    return { body: { success: true, id } }
  },
})

export const getMe = operation({
  summary:
    'Returns the signed-in account with its organisations, wallets, identity verification and second factors.',
  answer: accountOperations['GET /api/me'].answer,
  errors: [],
  handle: (parts: { accounts: ReadAccountDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: { success: true, ...(await readAccount(parts.accounts, { principal, now: call.now })) } }
  },
})
