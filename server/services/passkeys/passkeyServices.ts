import type { SessionGrant } from '../accounts/grantSession.ts'
import type { ListPart } from '../accounts/listPage.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { AssertionOptions } from './assertionOptions.ts'
import type { DeletePasskeyInput } from './deletePasskey.ts'
import type { ElevateByPasskeyInput, Elevation } from './elevateByPasskey.ts'
import type { FinishPasskeyRegistrationInput } from './finishPasskeyRegistration.ts'
import type { PasskeyView } from './passkeyView.ts'
import type { SignInByPasskeyInput } from './signInByPasskey.ts'
import type { RegistrationOptions } from './startPasskeyRegistration.ts'

/** The use cases around passkeys, with their dependencies bound. */
export type PasskeyServices = {
  startRegistration(input: { principal: SessionPrincipal; now: number }): Promise<RegistrationOptions>
  finishRegistration(input: FinishPasskeyRegistrationInput): Promise<PasskeyView>
  startAuthentication(input: { principal: SessionPrincipal | null; now: number }): Promise<AssertionOptions>
  signIn(input: SignInByPasskeyInput): Promise<SessionGrant>
  elevate(input: ElevateByPasskeyInput): Promise<Elevation>
  list(input: { principal: SessionPrincipal }): Promise<ListPart<PasskeyView>>
  delete(input: DeletePasskeyInput): Promise<void>
}
