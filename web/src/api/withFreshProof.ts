import { ApiFailure } from './apiFailure.ts'
import { withElevation } from './withElevation.ts'

/**
 * `withElevation` for actions that the service also allows an account without a passkey, soon after a sign-in.
 *
 * @throws ApiFailure; `SIGN_IN_NEEDED` if the sign-in is too old.
 */
export async function withFreshProof<Answer>(
  action: (elevation: string | null) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await withElevation(action)
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'PASSKEY_NEEDED') throw error
    throw new ApiFailure('SIGN_IN_NEEDED', 'Sign in again to confirm that it is you, then repeat this.')
  }
}
