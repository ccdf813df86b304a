import { serviceNameOf } from '@svc/core/signing/serviceName.ts'
import { siteOf } from '@svc/core/url/ipAddress.ts'
import type { Config } from '../../config.ts'
import type { KeyRing } from '../../external/keys/keyRing.ts'
import { openSecretBoxes } from '../../external/keys/openSecretBoxes.ts'
import { createPasskeyCeremonies } from '../../external/passkeyCeremonies.ts'
import { createPasswordHasher, type PasswordHasher } from '../../external/passwordHasher.ts'
import { readSiweMessage } from '../../external/readSiweMessage.ts'
import {
  createSignatureVerifier,
  type SignatureVerifier,
  type VerifyContractSignature,
} from '../../external/signatureVerifier.ts'
import { createAccessTokens } from '../../external/tokens/accessTokens.ts'
import { type AgentTokens, createAgentTokens } from '../../external/tokens/agentTokens.ts'
import { createElevationTokens } from '../../external/tokens/elevationTokens.ts'
import { createTotpCodes } from '../../external/tokens/totpCodes.ts'
import type { Authenticators } from '../../middleware/authenticate.ts'
import { createNestedBudget, createRateBudget } from '../../middleware/rateBudget.ts'
import { type AccountCaches, createAccountCaches } from '../../services/accounts/accountCaches.ts'
import { authenticateApiKey } from '../../services/accounts/apiKeys/authenticateApiKey.ts'
import { authenticateAccessToken } from '../../services/accounts/authenticateAccessToken.ts'
import {
  authenticateSignature,
  type SignedRequestSettings,
} from '../../services/accounts/authenticateSignature.ts'
import { attemptRules, createAttemptCounter } from '../../services/accounts/createAttemptCounter.ts'
import { type EnsureOperatorInput, ensureOperator } from '../../services/accounts/ensureOperator.ts'
import {
  type EnsureWalletAccountInput,
  ensureWalletAccount,
} from '../../services/accounts/ensureWalletAccount.ts'
import {
  type AssertionOptions,
  type AssertionOptionsInput,
  createAssertionOptions,
  type VerifyAssertionInput,
  verifyAssertion,
} from '../../services/passkeys/checkAssertion.ts'
import { createApiKeyStore } from '../../store/accounts/apiKeyStore.ts'
import { createInterimSignInStore } from '../../store/accounts/interimSignInStore.ts'
import { createInvitationStore } from '../../store/accounts/invitationStore.ts'
import { createKydStore } from '../../store/accounts/kydStore.ts'
import { createLinkedIdentityStore } from '../../store/accounts/linkedIdentityStore.ts'
import { createMailedTokenStore } from '../../store/accounts/mailedTokenStore.ts'
import { createMailOutboxStore } from '../../store/accounts/mailOutboxStore.ts'
import { createOrganizationStore } from '../../store/accounts/organizationStore.ts'
import { createPasskeyStore, type Passkey } from '../../store/accounts/passkeyStore.ts'
import { createRefreshTokenStore } from '../../store/accounts/refreshTokenStore.ts'
import { createSessionStore } from '../../store/accounts/sessionStore.ts'
import { createTotpStore } from '../../store/accounts/totpStore.ts'
import { createUserStore, type User } from '../../store/accounts/userStore.ts'
import { createWalletMergeStore } from '../../store/accounts/walletMergeStore.ts'
import { createChallengeStore } from '../../store/agents/challengeStore.ts'
import { createOwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import { createAuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createInterventionStore } from '../../store/operator/interventionStore.ts'
import { createErasureStore } from '../../store/personal/erasureStore.ts'
import { createExportStore } from '../../store/personal/exportStore.ts'
import { createAttemptStore } from '../../store/recorder/attemptStore.ts'
import { createNonceStore } from '../../store/recorder/nonceStore.ts'
import type { BudgetsOf } from '../composeDatabase.ts'
import { nestInSite } from '../nestInSite.ts'
import { composeOauth } from './composeOauth.ts'

export type ComposeAccountsDeps = {
  db: Db
  /** Sign access, elevation and agent tokens. */
  tokenKeys: KeyRing
  config: Pick<Config, 'dataDir' | 'publicUrl' | 'appUrl'> &
    Partial<
      Pick<
        Config,
        | 'secretsKey'
        | 'formerSecretsKeys'
        | 'oidc'
        | 'allowPrivateNetwork'
        | 'supportContact'
        | 'allowSignedRequestsWithoutService'
      >
    > & {
      rates: Pick<Config['rates'], 'signUpsPerHour'>
    }
  randomBytes: (length: number) => Uint8Array
  /** Null without a chain; then only keys sign requests. */
  verifyContractSignature: VerifyContractSignature | null
  /** The chain whose contract wallets verify signatures. */
  chainId(): Promise<number>
  /** Creates a budget across processes; by default, for this process only. */
  budgetOf?: BudgetsOf['budgetOf']
  /** Creates nested budgets across processes; by default, for this process only. */
  nestedBudgetOf?: BudgetsOf['nestedBudgetOf']
  /** By default, one with production costs. */
  passwords?: PasswordHasher
  /** Called after the commit and before the response when the inputs of a trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
  /** Called after the commit and before the response when the members of an organisation have changed. */
  onMembersChanged?(): void
  /** Called after the commit when a mail is waiting. */
  onMailQueued(): void
  /** Called after the commit when somebody has requested an export of their data. */
  onExportRequested(): void
  /** Reports an invalid response of an identity provider, for the log. */
  onProviderFault?(fault: object): void
}

export type ComposedAccounts = {
  parts: ReturnType<typeof routeParts>
  authenticators: Authenticators
  agentTokens: AgentTokens
  /** Verifies the signatures of Ethereum accounts. */
  recoverSigner: SignatureVerifier['recoverSigner']
  /** The caches of credentials and accounts. */
  caches: AccountCaches
  ensureWalletAccount(input: EnsureWalletAccountInput): Promise<User>
  /** @throws Error with a message for the operator. */
  ensureOperator(input: EnsureOperatorInput): Promise<void>
  /** For approvals by passkey over a challenge of their own. */
  passkeys: {
    assertionOptions(input: AssertionOptionsInput): Promise<AssertionOptions | null>
    verifyAssertion(input: VerifyAssertionInput): Promise<Passkey>
  }
}

/** Verification mails that one account requests, and password resets of one address. */
const RESENDS = { name: 'verify-email', max: 5, windowSeconds: 60 * 60 }
const RESETS = { name: 'reset-password', max: 5, windowSeconds: 60 * 60 }
/** Invitations per account and invitation mails per address, in a day. */
const INVITES = { name: 'invites', max: 500, windowSeconds: 24 * 60 * 60 }
const INVITATIONS = { name: 'invitations', max: 5, windowSeconds: 24 * 60 * 60 }
/** The name of the service in authenticator apps. */
const ISSUER = 'Agent registry'

/** Composes accounts: stores, keys and caches. */
export async function composeAccounts(deps: ComposeAccountsDeps): Promise<ComposedAccounts> {
  const parts = await createParts(deps)
  const own = (input: EnsureWalletAccountInput) => ensureWalletAccount(parts, input)
  return {
    parts: routeParts(deps, parts, own),
    authenticators: {
      apiKey: (key) => authenticateApiKey(parts, key),
      accessToken: (token, elevation, now) => authenticateAccessToken(parts, token, elevation, now),
      async agentToken(token, now) {
        const claims = await parts.agentTokens.verify(token, now)
        return claims && { kind: 'agent', svcId: claims.svcId }
      },
      signature: (request, now) => authenticateSignature(parts, request, now),
    },
    agentTokens: parts.agentTokens,
    recoverSigner: parts.signatures.recoverSigner,
    caches: parts.caches,
    ensureWalletAccount: own,
    ensureOperator: (input) => ensureOperator(parts, input),
    passkeys: {
      assertionOptions: (input) => createAssertionOptions(parts, input),
      verifyAssertion: (input) => verifyAssertion(parts, input),
    },
  }
}

/** The dashboard may have an address of its own. */
function signedRequestSettings({
  publicUrl,
  appUrl,
  allowSignedRequestsWithoutService: allowWithoutService = true,
}: ComposeAccountsDeps['config']): SignedRequestSettings {
  const services = [...new Set([publicUrl, appUrl].flatMap((url) => serviceNameOf(url) ?? []))]
  return { services, allowWithoutService }
}

/** The dependencies shared by accounts, sign-in, passkeys, wallets and identity providers. */
function routeParts(
  { db, config, chainId, onProviderFault = () => undefined }: ComposeAccountsDeps,
  parts: Awaited<ReturnType<typeof createParts>>,
  ensureOwn: (input: EnsureWalletAccountInput) => Promise<User>,
) {
  const session = { ...parts, session: parts }
  const providers = composeOauth({ config, onFault: onProviderFault })
  const account = { ...session, firstFactor: session, ensureWalletAccount: ensureOwn, providers }
  return {
    ...account,
    account,
    appUrl: config.appUrl,
    supportContact: config.supportContact ?? null,
    siwe: { readSiweMessage, signatures: parts.signatures, chainId, appUrl: config.appUrl },
    merge: { ...parts, merges: createWalletMergeStore(), records: createAuditRecordStore(db.query) },
  }
}

async function createParts({ db, config, verifyContractSignature, ...deps }: ComposeAccountsDeps) {
  const stores = {
    users: createUserStore(db.query),
    organizations: createOrganizationStore(db.query),
    apiKeys: createApiKeyStore(db.query),
    sessions: createSessionStore(db.query),
    refreshTokens: createRefreshTokenStore(),
    nonces: createNonceStore(),
    passkeys: createPasskeyStore(db.query),
    identities: createLinkedIdentityStore(db.query),
    challenges: createChallengeStore(),
    mailedTokens: createMailedTokenStore(),
    invitations: createInvitationStore(),
    totp: createTotpStore(db.query),
    kyd: createKydStore(db.query),
    interimSignIns: createInterimSignInStore(),
    interventions: createInterventionStore(db.query),
    erasures: createErasureStore(db.query),
    exports: createExportStore(db.query),
    owners: createOwnerFactsStore(db.query),
  }
  const ceremonies = createPasskeyCeremonies(config)
  const budgetOf = deps.budgetOf ?? createRateBudget
  const signUps = (deps.nestedBudgetOf ?? createNestedBudget)(
    nestInSite({ name: 'sign-up', max: config.rates.signUpsPerHour, windowSeconds: 60 * 60 }),
  )
  const signing = { keys: deps.tokenKeys, issuer: config.publicUrl, audience: `${config.publicUrl}/api` }
  return {
    ...stores,
    query: db.query,
    transaction: db.transaction,
    caches: createAccountCaches({ ...stores, onMembersChanged: deps.onMembersChanged }),
    ceremonies,
    formerPasskeyHosts: await stores.passkeys.otherHosts(ceremonies.rpId),
    passwords: deps.passwords ?? createPasswordHasher(),
    tokens: createAccessTokens(signing),
    agentTokens: createAgentTokens(signing),
    elevations: createElevationTokens(signing),
    signatures: createSignatureVerifier({ verifyContractSignature }),
    signedRequests: signedRequestSettings(config),
    codes: createTotpCodes(ISSUER),
    secrets: openSecretBoxes(config).secrets,
    attempts: attemptCounters(),
    signUps: {
      take: (ip: string, now: number) => signUps.take([ip, siteOf(ip)], now),
    },
    resends: budgetOf(RESENDS),
    resets: budgetOf(RESETS),
    invites: { bySender: budgetOf(INVITES), byRecipient: budgetOf(INVITATIONS) },
    post: {
      outbox: createMailOutboxStore(),
      appUrl: config.appUrl,
      randomBytes: deps.randomBytes,
      wake: deps.onMailQueued,
    },
    randomBytes: deps.randomBytes,
    onAccountChanged: deps.onAccountChanged,
    onExportRequested: deps.onExportRequested,
  }
}

function attemptCounters() {
  const store = createAttemptStore()
  return {
    login: createAttemptCounter(store, attemptRules.login),
    code: createAttemptCounter(store, attemptRules.code),
    password: createAttemptCounter(store, attemptRules.password),
    taken: createAttemptCounter(store, attemptRules.taken),
  }
}
