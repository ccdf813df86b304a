import type { SessionGrant } from '../accounts/grantSession.ts'
import type { ListPart } from '../accounts/listPage.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { CodeRequired } from '../signIn/passFirstFactor.ts'
import type { ExchangeHandOverInput } from './exchangeHandOver.ts'
import type { FinishedOauth, FinishOauthInput } from './finishOauth.ts'
import type { LinkedIdentityView } from './linkedIdentityView.ts'
import type { StartedOauth, StartOauthInput } from './startOauth.ts'
import type { UnlinkIdentityInput } from './unlinkIdentity.ts'

/** The use cases around providers of sign-ins, with their dependencies bound. */
export type OauthServices = {
  /** The site of the dashboard, without a slash at its end. */
  appUrl: string
  /** The providers that are configured, in a fixed order. */
  methods(): { provider: string; name: string }[]
  start(input: StartOauthInput): Promise<StartedOauth>
  finish(input: FinishOauthInput): Promise<FinishedOauth>
  exchange(input: ExchangeHandOverInput): Promise<SessionGrant | CodeRequired>
  /** The caller's linked identities, the first linked first: one part holds them all, since their number is bounded. */
  list(input: { principal: SessionPrincipal }): Promise<ListPart<LinkedIdentityView>>
  unlink(input: UnlinkIdentityInput): Promise<void>
}
