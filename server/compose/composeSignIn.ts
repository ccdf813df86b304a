import { type ChangePasswordDeps, changePassword } from '../services/signIn/changePassword.ts'
import { type ConfirmTotpDeps, confirmTotp } from '../services/signIn/confirmTotp.ts'
import { type EndAllSessionsDeps, endAllSessions } from '../services/signIn/endAllSessions.ts'
import { type EndSessionDeps, endSession } from '../services/signIn/endSession.ts'
import { type EnrolTotpDeps, enrolTotp } from '../services/signIn/enrolTotp.ts'
import { type FinishSignInDeps, finishSignIn } from '../services/signIn/finishSignIn.ts'
import { type ForgotPasswordDeps, forgotPassword } from '../services/signIn/forgotPassword.ts'
import { type ListSessionsDeps, listSessions } from '../services/signIn/listSessions.ts'
import { type RemoveTotpDeps, removeTotp } from '../services/signIn/removeTotp.ts'
import { type ResendVerificationDeps, resendVerification } from '../services/signIn/resendVerification.ts'
import { type ResetPasswordDeps, resetPassword } from '../services/signIn/resetPassword.ts'
import type { SignInServices } from '../services/signIn/signInServices.ts'
import { type VerifyEmailDeps, verifyEmail } from '../services/signIn/verifyEmail.ts'

export type ComposeSignInDeps = FinishSignInDeps &
  VerifyEmailDeps &
  ResendVerificationDeps &
  ForgotPasswordDeps &
  ResetPasswordDeps &
  ChangePasswordDeps &
  EnrolTotpDeps &
  ConfirmTotpDeps &
  RemoveTotpDeps &
  ListSessionsDeps &
  EndSessionDeps &
  EndAllSessionsDeps

/** Binds the use cases around addresses, passwords, codes and sessions to the parts of the accounts. */
export function composeSignIn(parts: ComposeSignInDeps): SignInServices {
  return {
    finish: (input) => finishSignIn(parts, input),
    verifyEmail: (input) => verifyEmail(parts, input),
    resendVerification: (input) => resendVerification(parts, input),
    forgotPassword: (input) => forgotPassword(parts, input),
    resetPassword: (input) => resetPassword(parts, input),
    changePassword: (input) => changePassword(parts, input),
    enrolTotp: (input) => enrolTotp(parts, input),
    confirmTotp: (input) => confirmTotp(parts, input),
    removeTotp: (input) => removeTotp(parts, input),
    listSessions: (input) => listSessions(parts, input),
    endSession: (input) => endSession(parts, input),
    endAllSessions: (input) => endAllSessions(parts, input),
  }
}
