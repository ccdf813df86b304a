import type { IdentityProvider } from '../../external/identityProvider.ts'

/** A provider, and what people call it. */
type Provider = { name: string; provider: IdentityProvider }

/** The providers that are configured, by the name in their routes, and where the dashboard is. */
export type OauthProviders = {
  byName: ReadonlyMap<string, Provider>
  appUrl: string
  /** Told what a provider answered wrongly, for the log. */
  onFault(fault: { provider: string; fault: string; detail: string }): void
}
