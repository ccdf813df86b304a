import type { Principal } from '../principal.ts'
import type { AddCredentialInput } from './addCredential.ts'
import type { CredentialView } from './credentialView.ts'
import type { OpenCredentialChallengeInput, openCredentialChallenge } from './openCredentialChallenge.ts'
import type { RemoveCredentialInput } from './removeCredential.ts'

/** The use cases around third-party credentials, with their dependencies bound. */
export type CredentialServices = {
  challenge(input: OpenCredentialChallengeInput): ReturnType<typeof openCredentialChallenge>
  add(input: AddCredentialInput): Promise<CredentialView>
  list(input: { id: string; principal: Principal; now: number }): Promise<CredentialView[]>
  remove(input: RemoveCredentialInput): Promise<void>
}
