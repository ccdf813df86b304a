import type { Config } from '../config.ts'
import { createIdentityProvider } from '../external/identityProvider.ts'
import { createGuardedFetch } from '../external/outboundHttp.ts'
import type { AccountOfIdentityDeps } from '../services/oauth/accountOfIdentity.ts'
import { type ExchangeHandOverDeps, exchangeHandOver } from '../services/oauth/exchangeHandOver.ts'
import { type FinishOauthDeps, finishOauth } from '../services/oauth/finishOauth.ts'
import { linkedIdentityView } from '../services/oauth/linkedIdentityView.ts'
import type { OauthProviders } from '../services/oauth/oauthProviders.ts'
import type { OauthServices } from '../services/oauth/oauthServices.ts'
import { type StartOauthDeps, startOauth } from '../services/oauth/startOauth.ts'
import { type UnlinkIdentityDeps, unlinkIdentity } from '../services/oauth/unlinkIdentity.ts'
import type { LinkedIdentityStore } from '../store/accounts/linkedIdentityStore.ts'

export type ComposeOauthDeps = {
  config: Pick<Config, 'appUrl'> & Partial<Pick<Config, 'oidc' | 'allowPrivateNetwork'>>
  /** Told what a provider answered wrongly, for the log. */
  onFault: OauthProviders['onFault']
  /** Of the accounts. */
  parts: Omit<StartOauthDeps, 'providers'> &
    Omit<FinishOauthDeps, 'providers' | 'account'> &
    Omit<AccountOfIdentityDeps, 'providers' | 'identities'> &
    Omit<ExchangeHandOverDeps, 'identities'> &
    Omit<UnlinkIdentityDeps, 'identities'> & { identities: LinkedIdentityStore }
}

/** A provider answers within this, or cannot be reached. */
const TIMEOUT_MS = 5_000
const NAMES = { google: 'Google', microsoft: 'Microsoft' } as const

/** Binds the use cases around providers of sign-ins to those that are configured. */
export function composeOauth({ config, onFault, parts }: ComposeOauthDeps): OauthServices {
  const { appUrl, oidc, allowPrivateNetwork = false } = config
  const outgoing = createGuardedFetch({ allowPrivate: allowPrivateNetwork, timeoutMs: TIMEOUT_MS })
  const byName = new Map(
    (['google', 'microsoft'] as const).flatMap((name) => {
      const settings = oidc?.[name]
      if (!settings) return []
      return [[name as string, { name: NAMES[name], provider: createIdentityProvider(settings, outgoing) }]]
    }),
  )
  const providers: OauthProviders = { byName, appUrl, onFault }
  const { identities } = parts
  const deps = { ...parts, providers }
  return {
    appUrl,
    methods: () => Array.from(byName, ([provider, { name }]) => ({ provider, name })),
    start: (input) => startOauth(deps, input),
    finish: (input) => finishOauth({ ...deps, account: deps }, input),
    exchange: (input) => exchangeHandOver(deps, input),
    list: async ({ principal }) => ({
      items: (await identities.ofUser(principal.userId)).map(linkedIdentityView),
      nextBefore: null,
    }),
    unlink: (input) => unlinkIdentity(deps, input),
  }
}
