import type { AssertionOptions } from '../passkeys/checkAssertion.ts'
import { type OwnerFields, prepareApproval } from './prepareApproval.ts'
import type { ReadRegistrationRequestDeps, RegistrationRequestInput } from './readRegistrationRequest.ts'

/**
 * Creates the options with which the owner's passkey approves a request together with what the owner adds; null if the
 * account has no passkey.
 *
 * @throws ApiError as `prepareApproval`.
 */
export async function createApprovalOptions(
  deps: ReadRegistrationRequestDeps,
  input: RegistrationRequestInput & { added: OwnerFields },
): Promise<AssertionOptions | null> {
  const { challenge } = await prepareApproval(deps, input)
  return deps.assertionOptions({ userId: input.principal.userId, challenge })
}
