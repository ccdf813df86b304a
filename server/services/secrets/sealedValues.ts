import type { SealContext } from '../../external/keys/secretBox.ts'
import type { StoredColumn } from '../../store/secrets/sealedValueStore.ts'

/** Where a sealed value is stored; its context takes the columns of the key in their order. */
export type SealedColumn = StoredColumn & {
  /** Which box opens it. */
  box: 'secrets' | 'documents'
  context: (...key: string[]) => SealContext
}

/** What every value that is encrypted with the secrets key is bound to. */
const CONTEXTS = {
  totpSecret: (userId: string) => context(`totp ${userId}`),
  webhookSecret: (endpointId: string) => context(`endpoint-webhook:${endpointId}`),
  /** The machine-readable zone of a passport. */
  kydMrz: (caseId: string) => context(`kyd ${caseId} mrz`),
  kydDocument: (caseId: string, kind: string) => context(`kyd ${caseId} ${kind}`),
  pushSubscription: (id: string) => context(`push-subscription:${id}`),
  /** A key that all processes of a database share. */
  sharedKey: (name: string) => context(`shared-key:${name}`),
  /** A key that signs for the registry. */
  signingKey: (purpose: string, kid: string) => context(`signing-key:${purpose}:${kid}`),
  repeatedAnswer: (claimId: string) => context(`idempotent-answer:${claimId}`),
  useCaseAnswers: (caller: string, key: string) =>
    context(`idempotent-kept:${JSON.stringify([caller, key])}`),
  /** A sign-in at a provider. */
  oauthFlow: () => context('oauth sign-in'),
} as const

type SealedName = keyof typeof CONTEXTS

/**
 * The contexts of everything that is encrypted with the secrets key. A box accepts no others, so that every sealed value is
 * in this file.
 */
export const sealContexts: typeof CONTEXTS = CONTEXTS

const secrets = { box: 'secrets' } as const

/** In which columns each of them is stored, for the rotation of the key; `oauthFlow` is only in a cookie, for minutes. */
const COLUMNS: Record<SealedName, Omit<SealedColumn, 'context'>[]> = {
  totpSecret: [{ ...secrets, table: 'totp_factors', column: 'sealed_secret', key: ['user_id'] }],
  webhookSecret: [
    { ...secrets, table: 'endpoints', column: 'webhook_secret', key: ['id'] },
    { ...secrets, table: 'endpoints', column: 'previous_webhook_secret', key: ['id'] },
  ],
  kydMrz: [{ ...secrets, table: 'kyd_cases', column: 'mrz_sealed', key: ['id'] }],
  kydDocument: [{ box: 'documents', table: 'kyd_documents', column: 'sealed', key: ['case_id', 'kind'] }],
  pushSubscription: [{ ...secrets, table: 'push_subscriptions', column: 'sealed', key: ['id'] }],
  sharedKey: [{ ...secrets, table: 'shared_keys', column: 'sealed', key: ['name'] }],
  signingKey: [{ ...secrets, table: 'signing_keys', column: 'sealed', key: ['purpose', 'kid'] }],
  repeatedAnswer: [{ ...secrets, table: 'idempotency_keys', column: 'answer', key: ['claim_id'] }],
  useCaseAnswers: [{ ...secrets, table: 'idempotency_keys', column: 'kept', key: ['caller', 'key'] }],
  oauthFlow: [],
}

/** Every column that is encrypted with the secrets key. */
export const SEALED_COLUMNS: readonly SealedColumn[] = (Object.keys(COLUMNS) as SealedName[]).flatMap(
  (name) =>
    COLUMNS[name].map((column) => ({ ...column, context: CONTEXTS[name] as SealedColumn['context'] })),
)

function context(text: string): SealContext {
  return text as SealContext
}
