import type { Config } from '../../config.ts'
import { createIdentityProvider } from '../../external/outbound/identityProvider.ts'
import { createGuardedFetch } from '../../external/outbound/outboundHttp.ts'
import type { OauthProviders } from '../../services/oauth/oauthFlow.ts'

export type ComposeOauthDeps = {
  config: Pick<Config, 'appUrl'> & Partial<Pick<Config, 'oidc' | 'allowPrivateNetwork'>>
  /** Reports an invalid response of a provider, for the log. */
  onFault: OauthProviders['onFault']
}

/** A provider that takes longer counts as unreachable. */
const TIMEOUT_MS = 5_000
const NAMES = { google: 'Google', microsoft: 'Microsoft' } as const

/** Composes the configured identity providers. */
export function composeOauth({ config, onFault }: ComposeOauthDeps): OauthProviders {
  const { appUrl, oidc, allowPrivateNetwork = false } = config
  const outgoing = createGuardedFetch({ allowPrivate: allowPrivateNetwork, timeoutMs: TIMEOUT_MS })
  const byName = new Map(
    (['google', 'microsoft'] as const).flatMap((name) => {
      const settings = oidc?.[name]
      if (!settings) return []
      return [[name as string, { name: NAMES[name], provider: createIdentityProvider(settings, outgoing) }]]
    }),
  )
  return { byName, appUrl, onFault }
}
