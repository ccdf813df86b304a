type SignInFault = { title: string; text: string }

/** Messages by the error code of the service. */
const FAULTS: Readonly<Record<string, SignInFault>> = {
  access_denied: { title: 'Sign-in cancelled', text: 'The sign-in was declined at the provider.' },
  provider_error: {
    title: 'The provider refused the sign-in',
    text: 'It did not confirm who you are. Try again, or sign in another way.',
  },
  provider_unavailable: {
    title: 'The provider is not responding',
    text: 'Try again later, or sign in another way.',
  },
  state_mismatch: {
    title: 'This sign-in has expired',
    text: 'It was started in another browser or tab, took longer than ten minutes, or has already finished. Start again.',
  },
  identity_rejected: {
    title: 'The provider’s response is not valid',
    text: 'You were not signed in. Try again; if the problem persists, contact the operator of this service.',
  },
  email_unverified: {
    title: 'The provider has not confirmed your e-mail address',
    text: 'An account can only be created with a confirmed address. Confirm it with the provider, or create an account here.',
  },
  account_exists: {
    title: 'An account with this e-mail address already exists',
    text: 'Sign in to it as before, then link the provider on your account page.',
  },
  identity_taken: {
    title: 'Already linked to another account',
    text: 'This identity is linked to another account. Remove it there first.',
  },
  too_many: { title: 'Too many linked identities', text: 'Remove one on your account page first.' },
  session_ended: {
    title: 'You have been signed out',
    text: 'Nothing was linked. Sign in and try again.',
  },
}

/** Explains why a sign-in at an identity provider failed. The code comes from the address bar and may be anything. */
export function describeSignInFault(code: string): SignInFault {
  const fault = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined
  return fault ?? { title: 'No sign-in in progress', text: 'Start the sign-in again.' }
}
