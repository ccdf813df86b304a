import type { SessionGrant } from '../accounts/grantSession.ts'
import type { ListPart, ListRequest } from '../accounts/listPage.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { ChangePasswordInput } from './changePassword.ts'
import type { ConfirmTotpInput } from './confirmTotp.ts'
import type { EndAllSessionsInput } from './endAllSessions.ts'
import type { EndSessionInput } from './endSession.ts'
import type { EnrolledTotp, EnrolTotpInput } from './enrolTotp.ts'
import type { FinishSignInInput } from './finishSignIn.ts'
import type { ForgotPasswordInput } from './forgotPassword.ts'
import type { SessionView } from './listSessions.ts'
import type { RemoveTotpInput } from './removeTotp.ts'
import type { ResendVerificationInput } from './resendVerification.ts'
import type { ResetPasswordInput } from './resetPassword.ts'
import type { VerifyEmailInput } from './verifyEmail.ts'

/** The use cases around addresses, passwords, codes and sessions, with their dependencies bound. */
export type SignInServices = {
  finish(input: FinishSignInInput): Promise<SessionGrant>
  verifyEmail(input: VerifyEmailInput): Promise<void>
  resendVerification(input: ResendVerificationInput): Promise<void>
  forgotPassword(input: ForgotPasswordInput): Promise<void>
  resetPassword(input: ResetPasswordInput): Promise<void>
  changePassword(input: ChangePasswordInput): Promise<void>
  enrolTotp(input: EnrolTotpInput): Promise<EnrolledTotp>
  confirmTotp(input: ConfirmTotpInput): Promise<void>
  removeTotp(input: RemoveTotpInput): Promise<void>
  listSessions(
    input: ListRequest & { principal: SessionPrincipal; now: number },
  ): Promise<ListPart<SessionView>>
  endSession(input: EndSessionInput): Promise<void>
  endAllSessions(input: EndAllSessionsInput): Promise<number>
}
