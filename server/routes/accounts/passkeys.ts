import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ElevateByPasskeyDeps, elevateByPasskey } from '../../services/passkeys/elevateByPasskey.ts'
import {
  type FinishPasskeyRegistrationDeps,
  finishPasskeyRegistration,
} from '../../services/passkeys/finishPasskeyRegistration.ts'
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
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { pageAnswer, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'
import { accountSchemas } from './accountSchemas.ts'

/** Bytes as base64url without padding, bounded in characters. */
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]*$/, 'expected base64url')

/** A credential id is at most 1,023 bytes. Source: WebAuthn 3 §5.8.3. */
const credentialId = base64url(1364)
const clientDataJSON = base64url(4096)
const transport = z.string().min(1).max(32)
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') }

/** What the operations with passkeys take and answer; members nobody reads are dropped. Source: WebAuthn 3 §5.1. */
export const passkeySchemas = {
  /** JSON of what `navigator.credentials.create` gives. */
  registration: z.object({
    ...credential,
    response: z.object({
      clientDataJSON,
      attestationObject: base64url(65_536),
      transports: z.array(transport).max(10).optional(),
    }),
  }),
  /** JSON of what `navigator.credentials.get` gives. */
  assertion: z.object({
    ...credential,
    response: z.object({
      clientDataJSON,
      authenticatorData: base64url(4096),
      signature: base64url(2048),
      userHandle: base64url(128)
        .nullish()
        .transform((handle) => handle ?? undefined),
    }),
  }),
  passkey: z.object({
    id: z.string(),
    name: z.string(),
    deviceType: z.enum(['singleDevice', 'multiDevice']),
    isBackedUp: z.boolean(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
  }),
  /** Options as the browser's `parse…OptionsFromJSON` reads them. */
  options: z.looseObject({ challenge: z.string() }),
} as const

/** Source: api.md "Accounts". */
export const postPasskeyRegistrationOptions = operation({
  summary: 'Gives the options to make a passkey with; a further one needs a fresh passkey.',
  answer: z.object({ success: z.literal(true), options: passkeySchemas.options }),
  errors: ['ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (parts: { accounts: StartPasskeyRegistrationDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const options = await startPasskeyRegistration(parts.accounts, { principal, now: call.now })
    return { body: { success: true, options } }
  },
})

const postPasskeyRegistrationVerifyBody = z.object({
  response: passkeySchemas.registration,
  name: accountSchemas.name.default('Passkey'),
})

/** Source: api.md "Accounts". */
export const postPasskeyRegistrationVerify = operation({
  summary: 'Stores the passkey that was made with the options.',
  body: postPasskeyRegistrationVerifyBody,
  status: 201,
  answer: z.object({ success: z.literal(true), passkey: passkeySchemas.passkey }),
  errors: ['VALIDATION_ERROR', 'PASSKEY_REJECTED', 'ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (parts: { accounts: FinishPasskeyRegistrationDeps }) => async (call) => {
    const input = parseInput(postPasskeyRegistrationVerifyBody, call.body)
    const principal = callerOf(call, 'session')
    const passkey = await finishPasskeyRegistration(parts.accounts, { ...input, principal, now: call.now })
    return { status: 201, body: { success: true, passkey } }
  },
})

/** Source: api.md "Accounts". */
export const postPasskeyAuthenticationOptions = operation({
  summary: 'Gives the options to sign in with a passkey, or, in a session, to use one again.',
  answer: z.object({ success: z.literal(true), options: passkeySchemas.options }),
  errors: ['INVALID_STATE'],
  handle: (parts: { accounts: StartPasskeyAuthenticationDeps }) => async (call) => {
    const principal = call.principal.kind === 'session' ? call.principal : null
    const options = await startPasskeyAuthentication(parts.accounts, { principal, now: call.now })
    return { body: { success: true, options } }
  },
})

const postPasskeyAuthenticationVerifyBody = z.object({ response: passkeySchemas.assertion })

/** Source: api.md "Accounts". */
export const postPasskeyAuthenticationVerify = operation({
  summary: 'Signs in with a passkey, or, in a session, gives an elevation token for `X-Svc-Elevation`.',
  body: postPasskeyAuthenticationVerifyBody,
  answer: z.union([
    accountSchemas.session,
    z.object({ success: z.literal(true), elevationToken: z.string(), expiresIn: z.number() }),
  ]),
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'PASSKEY_REJECTED'],
  handle: (parts: { accounts: ElevateByPasskeyDeps & SignInByPasskeyDeps }) => async (call) => {
    const { response } = parseInput(postPasskeyAuthenticationVerifyBody, call.body)
    const { principal, now } = call
    if (principal.kind === 'session') {
      const elevation = await elevateByPasskey(parts.accounts, { principal, response, now })
      return { body: { success: true, ...elevation } }
    }
    const data = await signInByPasskey(parts.accounts, { response, client: clientOf(call), now })
    return { body: { success: true, data } }
  },
})

/** Source: api.md "Accounts". */
export const getPasskeys = operation({
  summary: 'Lists the passkeys of the account.',
  answer: pageAnswer(passkeySchemas.passkey),
  errors: [],
  handle: (parts: { accounts: ListPasskeysDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: writePage(await listPasskeys(parts.accounts, { principal })) }
  },
})

/** Source: api.md "Accounts". */
export const deletePasskey = operation({
  summary: 'Deletes a passkey, with a fresh one or right after a sign-in by more than a password.',
  answer: z.object({ success: z.literal(true), id: z.string() }),
  errors: ['NOT_FOUND', 'ELEVATION_REQUIRED'],
  handle: (parts: { accounts: RemovePasskeyDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const id = call.params.id ?? ''
    await removePasskey(parts.accounts, { principal, id, now: call.now })
    return { body: { success: true, id } }
  },
})
