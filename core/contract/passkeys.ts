import { z } from 'zod'
import { accountSchemas, newAccountBody } from './accounts.ts'
import { pageAnswer, success } from './envelope.ts'

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

/** A stored credential; authenticators may name transports that WebAuthn does not know yet. */
const descriptor = z.object({
  id: z.string(),
  type: z.string(),
  transports: z.array(z.string()).optional(),
})

const requirement = z.enum(['discouraged', 'preferred', 'required'])

const hints = z.array(z.enum(['hybrid', 'security-key', 'client-device']))

/** Schemas that the passkey operations share; members without a use are dropped. Source: WebAuthn 3 §5.1. */
export const passkeySchemas = {
  /** The result of `navigator.credentials.create` as JSON. */
  registration: z.object({
    ...credential,
    response: z.object({
      clientDataJSON,
      attestationObject: base64url(65_536),
      transports: z.array(transport).max(10).optional(),
    }),
  }),
  /** The result of `navigator.credentials.get` as JSON. */
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
  /** As `parseCreationOptionsFromJSON` reads them. Source: WebAuthn 3 §5.1.8, §5.4. */
  creationOptions: z.object({
    rp: z.object({ id: z.string().optional(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
    timeout: z.number().optional(),
    excludeCredentials: z.array(descriptor).optional(),
    authenticatorSelection: z
      .object({
        authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
        requireResidentKey: z.boolean().optional(),
        residentKey: requirement.optional(),
        userVerification: requirement.optional(),
      })
      .optional(),
    hints: hints.optional(),
    attestation: z.enum(['direct', 'enterprise', 'indirect', 'none']).optional(),
    extensions: z.object({ credProps: z.boolean().optional() }).optional(),
  }),
  /** As `parseRequestOptionsFromJSON` reads them. Source: WebAuthn 3 §5.1.9, §5.5. */
  requestOptions: z.object({
    challenge: z.string(),
    timeout: z.number().optional(),
    rpId: z.string().optional(),
    allowCredentials: z.array(descriptor).optional(),
    userVerification: requirement.optional(),
    hints: hints.optional(),
  }),
} as const

/** A passkey, as its owner sees it. */
export type Passkey = z.output<typeof passkeySchemas.passkey>

/** The options of `navigator.credentials.create` as JSON. */
export type CreationOptions = z.output<typeof passkeySchemas.creationOptions>

/** The options of `navigator.credentials.get` as JSON. */
export type RequestOptions = z.output<typeof passkeySchemas.requestOptions>

export const postPasskeyRegistrationVerifyBody = z.object({
  response: passkeySchemas.registration,
  name: accountSchemas.name.default('Passkey'),
})

export const postPasskeySignUpVerifyBody = newAccountBody.extend(postPasskeyRegistrationVerifyBody.shape)

export const postPasskeyAuthenticationVerifyBody = z.object({ response: passkeySchemas.assertion })

/** Request and response schemas of the operations, by method and path. */
export const passkeyOperations = {
  'POST /api/auth/passkeys/registration/options': {
    answer: success({ options: passkeySchemas.creationOptions }),
  },
  'POST /api/auth/passkeys/registration/verify': {
    body: postPasskeyRegistrationVerifyBody,
    answer: success({ passkey: passkeySchemas.passkey }),
  },
  'POST /api/auth/passkeys/sign-up/options': {
    body: newAccountBody,
    answer: success({ options: passkeySchemas.creationOptions }),
  },
  'POST /api/auth/passkeys/sign-up/verify': {
    body: postPasskeySignUpVerifyBody,
    answer: accountSchemas.session,
  },
  'POST /api/auth/passkeys/authentication/options': {
    answer: success({ options: passkeySchemas.requestOptions }),
  },
  'POST /api/auth/passkeys/authentication/verify': {
    body: postPasskeyAuthenticationVerifyBody,
    answer: z.union([accountSchemas.session, success({ elevationToken: z.string(), expiresIn: z.number() })]),
  },
  'GET /api/auth/passkeys': { answer: pageAnswer(passkeySchemas.passkey) },
  'DELETE /api/auth/passkeys/:id': { answer: success({ id: z.string() }) },
} as const
