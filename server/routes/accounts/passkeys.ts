import { newAccountBody } from '@svc/core/contract/accounts.ts'
import {
  passkeyOperations,
  postPasskeyAuthenticationVerifyBody,
  postPasskeyRegistrationVerifyBody,
  postPasskeySignUpVerifyBody,
} from '@svc/core/contract/passkeys.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ElevateByPasskeyDeps, elevateByPasskey } from '../../services/passkeys/elevateByPasskey.ts'
import {
  type FinishPasskeyRegistrationDeps,
  finishPasskeyRegistration,
} from '../../services/passkeys/finishPasskeyRegistration.ts'
import {
  type FinishPasskeySignUpDeps,
  finishPasskeySignUp,
} from '../../services/passkeys/finishPasskeySignUp.ts'
import { type ListPasskeysDeps, listPasskeys } from '../../services/passkeys/listPasskeys.ts'
import { type RemovePasskeyDeps, removePasskey } from '../../services/passkeys/removePasskey.ts'
import { type SignInByPasskeyDeps, signInByPasskey } from '../../services/passkeys/signInByPasskey.ts'
import {
  type StartPasskeyAuthenticationDeps,
  startPasskeyAuthentication,
} from '../../services/passkeys/startPasskeyAuthentication.ts'
import {
  type StartPasskeyRegistrationDeps,
  startPasskeyRegistration,
} from '../../services/passkeys/startPasskeyRegistration.ts'
import {
  type StartPasskeySignUpDeps,
  startPasskeySignUp,
} from '../../services/passkeys/startPasskeySignUp.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { writePage } from '../border/pagination.ts'
import { answerSession, SESSION_HEADER, type SessionCookieDeps } from '../border/sessionCookie.ts'
import { operation } from '../operation.ts'

export const postPasskeyRegistrationOptions = operation({
  summary:
    'Returns the WebAuthn options for creating a passkey; any but the first needs a recent passkey assertion.',
  answer: passkeyOperations['POST /api/auth/passkeys/registration/options'].answer,
  errors: ['ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (parts: { accounts: StartPasskeyRegistrationDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const options = await startPasskeyRegistration(parts.accounts, { principal, now: call.now })
    return { body: { success: true, options } }
  },
})

export const postPasskeyRegistrationVerify = operation({
  summary: 'Stores the passkey created with the options.',
  body: passkeyOperations['POST /api/auth/passkeys/registration/verify'].body,
  status: 201,
  answer: passkeyOperations['POST /api/auth/passkeys/registration/verify'].answer,
  errors: ['VALIDATION_ERROR', 'PASSKEY_REJECTED', 'ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (parts: { accounts: FinishPasskeyRegistrationDeps }) => async (call) => {
    const input = parseInput(postPasskeyRegistrationVerifyBody, call.body)
    const principal = callerOf(call, 'session')
    const passkey = await finishPasskeyRegistration(parts.accounts, { ...input, principal, now: call.now })
    return { status: 201, body: { success: true, passkey } }
  },
})

export const postPasskeySignUpOptions = operation({
  summary: 'Returns the WebAuthn options for the passkey that opens an account without a password.',
  body: passkeyOperations['POST /api/auth/passkeys/sign-up/options'].body,
  answer: passkeyOperations['POST /api/auth/passkeys/sign-up/options'].answer,
  errors: ['VALIDATION_ERROR', 'EMAIL_TAKEN'],
  handle: (parts: { accounts: StartPasskeySignUpDeps }) => async (call) => {
    const input = parseInput(newAccountBody, call.body)
    const { ip, now } = call
    return {
      body: { success: true, options: await startPasskeySignUp(parts.accounts, { ...input, ip, now }) },
    }
  },
})

export const postPasskeySignUpVerify = operation({
  summary:
    'Creates an account with the passkey created with the options, signs in, and mails a token to confirm the address.',
  body: passkeyOperations['POST /api/auth/passkeys/sign-up/verify'].body,
  headers: SESSION_HEADER,
  status: 201,
  answer: passkeyOperations['POST /api/auth/passkeys/sign-up/verify'].answer,
  errors: ['VALIDATION_ERROR', 'PASSKEY_REJECTED', 'EMAIL_TAKEN', 'INVALID_STATE'],
  handle: (parts: { accounts: FinishPasskeySignUpDeps & SessionCookieDeps }) => async (call) => {
    const input = parseInput(postPasskeySignUpVerifyBody, call.body)
    const { ip, now } = call
    const data = await finishPasskeySignUp(parts.accounts, { ...input, ip, client: clientOf(call), now })
    return { status: 201, ...answerSession(parts.accounts, call, data) }
  },
})

export const postPasskeyAuthenticationOptions = operation({
  summary: 'Returns the WebAuthn options for signing in or, within a session, for a new assertion.',
  answer: passkeyOperations['POST /api/auth/passkeys/authentication/options'].answer,
  errors: ['INVALID_STATE'],
  handle: (parts: { accounts: StartPasskeyAuthenticationDeps }) => async (call) => {
    const principal = call.principal.kind === 'session' ? call.principal : null
    const options = await startPasskeyAuthentication(parts.accounts, { principal, now: call.now })
    return { body: { success: true, options } }
  },
})

export const postPasskeyAuthenticationVerify = operation({
  summary: 'Signs in with a passkey or, within a session, returns an elevation token for `X-Svc-Elevation`.',
  body: passkeyOperations['POST /api/auth/passkeys/authentication/verify'].body,
  headers: SESSION_HEADER,
  answer: passkeyOperations['POST /api/auth/passkeys/authentication/verify'].answer,
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'PASSKEY_REJECTED'],
  handle:
    (parts: { accounts: ElevateByPasskeyDeps & SignInByPasskeyDeps & SessionCookieDeps }) => async (call) => {
      const { response } = parseInput(postPasskeyAuthenticationVerifyBody, call.body)
      const { principal, now } = call
      if (principal.kind === 'session') {
        const elevation = await elevateByPasskey(parts.accounts, { principal, response, now })
        return { body: { success: true, ...elevation } }
      }
      const data = await signInByPasskey(parts.accounts, { response, client: clientOf(call), now })
      return answerSession(parts.accounts, call, data)
    },
})

export const getPasskeys = operation({
  summary: 'Lists the passkeys of the account.',
  answer: passkeyOperations['GET /api/auth/passkeys'].answer,
  errors: [],
  handle: (parts: { accounts: ListPasskeysDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: writePage(await listPasskeys(parts.accounts, { principal })) }
  },
})

export const deletePasskey = operation({
  summary:
    'Deletes a passkey, given a recent passkey assertion or a recent sign-in with more than a password.',
  answer: passkeyOperations['DELETE /api/auth/passkeys/:id'].answer,
  errors: ['NOT_FOUND', 'ELEVATION_REQUIRED'],
  handle: (parts: { accounts: RemovePasskeyDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const id = call.params.id ?? ''
    await removePasskey(parts.accounts, { principal, id, now: call.now })
    return { body: { success: true, id } }
  },
})
