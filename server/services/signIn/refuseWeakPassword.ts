import { findPasswordFault, type PasswordOwner } from '@svc/core/passwords/findPasswordFault.ts'
import { validationError } from '../../errors.ts'

/**
 * Refuses a new password that guessers try first; its length is checked with the body.
 *
 * @param pointer Where it stands in the body. @throws ApiError VALIDATION_ERROR, without the password.
 */
export function refuseWeakPassword(password: string, owner: PasswordOwner, pointer = '/password'): void {
  const fault = findPasswordFault(password, owner)
  if (fault) throw validationError([{ pointer, ...fault }])
}
