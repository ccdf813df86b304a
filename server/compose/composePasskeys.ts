import { type DeletePasskeyDeps, deletePasskey } from '../services/passkeys/deletePasskey.ts'
import { type ElevateByPasskeyDeps, elevateByPasskey } from '../services/passkeys/elevateByPasskey.ts'
import {
  type FinishPasskeyRegistrationDeps,
  finishPasskeyRegistration,
} from '../services/passkeys/finishPasskeyRegistration.ts'
import { type ListPasskeysDeps, listPasskeys } from '../services/passkeys/listPasskeys.ts'
import type { PasskeyServices } from '../services/passkeys/passkeyServices.ts'
import { type SignInByPasskeyDeps, signInByPasskey } from '../services/passkeys/signInByPasskey.ts'
import {
  type StartPasskeyAuthenticationDeps,
  startPasskeyAuthentication,
} from '../services/passkeys/startPasskeyAuthentication.ts'
import {
  type StartPasskeyRegistrationDeps,
  startPasskeyRegistration,
} from '../services/passkeys/startPasskeyRegistration.ts'

export type ComposePasskeysDeps = StartPasskeyRegistrationDeps &
  FinishPasskeyRegistrationDeps &
  StartPasskeyAuthenticationDeps &
  SignInByPasskeyDeps &
  ElevateByPasskeyDeps &
  ListPasskeysDeps &
  DeletePasskeyDeps

/** Binds the use cases around passkeys to the parts of the accounts. */
export function composePasskeys(parts: ComposePasskeysDeps): PasskeyServices {
  return {
    startRegistration: (input) => startPasskeyRegistration(parts, input),
    finishRegistration: (input) => finishPasskeyRegistration(parts, input),
    startAuthentication: (input) => startPasskeyAuthentication(parts, input),
    signIn: (input) => signInByPasskey(parts, input),
    elevate: (input) => elevateByPasskey(parts, input),
    list: (input) => listPasskeys(parts, input),
    delete: (input) => deletePasskey(parts, input),
  }
}
