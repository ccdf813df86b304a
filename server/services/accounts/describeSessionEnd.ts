import type { SessionEndReason } from '../../store/accounts/sessionStore.ts'

const MESSAGES: Readonly<Record<SessionEndReason, string>> = {
  signed_out: 'You have signed out.',
  ended_elsewhere: 'This session was ended from another device.',
  signed_out_everywhere: 'You have been signed out on all devices.',
  password_changed: 'The password was changed, which ended this session.',
  sign_in_removed: 'A way to sign in was removed from the account, which ended this session.',
  accounts_merged: 'This account was merged into another one. Sign in to that one.',
  token_reused:
    'This session was ended because its refresh token was used twice, which can mean that someone copied it.',
  suspended: 'This session was ended when the account was suspended.',
}

/** Tells the holder of a session's refresh token why the session has ended, as far as that is known. */
export function describeSessionEnd(reason: SessionEndReason | null): string {
  return reason === null ? 'This session has ended.' : MESSAGES[reason]
}
